/* docs/simulator.md: each line of its tables is one of page.def, of kernels that are tested. */
#include "bench/base/plain_text.h"
#include "bench/table/op.h"
#include "order_kernels.h"
#include "right_kernels.h"
#include "wrong_kernels.h"
#include "tests/unit.h"

enum table { FOUND, TAKEN, MISSED, TABLES };

static const struct kernel {
    enum table table;
    const char *name, *says;
} kernels[] = {
#define WRONG_ONE(name, blocks, shared, block, thread, what) {FOUND, #name, what},
#define TURN_ONE(name, element, block, shows, order) {FOUND, #name, shows},
#define RIGHT_ONE(name, ...) {TAKEN, #name, ""},
#define HOPPER_ONE(name, threads, said) {FOUND, #name, said},
#define OTHER_ONE(name, said) {sizeof(said) > 1 ? FOUND : MISSED, #name, said},
    WRONG_ACCESSES(WRONG_ONE) WRONG_WAITS(WRONG_ONE) WRONG_TRAPS(WRONG_ONE) WRONG_STACKS(WRONG_ONE)
        TURN_KERNELS(TURN_ONE) WRONG_PTX(WRONG_ONE) HOPPER_KERNELS(HOPPER_ONE) TENSOR_KERNELS(OTHER_ONE)
            RIGHT_KERNELS(RIGHT_ONE) RIGHT_HOPPER_KERNELS(RIGHT_ONE) OTHER_KERNELS(OTHER_ONE)};

static const struct line {
    enum table table;
    const char *first, *kernels; /* the first column */
} lines[] = {
#define FINDS(mistake, kernels) {FOUND, mistake, kernels},
#define TAKES(kind, kernels) {TAKEN, kind, kernels},
#define MISSES(mistake, kernels) {MISSED, mistake, kernels},
#include "page.def"
};
enum { LINES = sizeof lines / sizeof lines[0] };

/* The kernel of that name, of `length` characters; NULL: there is none. */
static const struct kernel *find(enum table table, const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i].table == table && op_find_name(kernels[i].name, name, length) == 0)
            return &kernels[i];
    return NULL;
}

TEST(each_kernel_stands_in_one_line_of_its_table)
{
    for (size_t i = 0; i < LINES; i++)
        for (const char *at = lines[i].kernels; *at; at = op_name_after(at))
            if (!find(lines[i].table, at, strcspn(at, " ")))
                fail_msg("page.def has a line for %s, but there is no such kernel", at);
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        int count = 0;
        for (size_t i = 0; i < LINES; i++)
            count += lines[i].table == kernels[k].table &&
                     op_find_name(lines[i].kernels, kernels[k].name, strlen(kernels[k].name)) >= 0;
        if (count != 1)
            fail_msg("%s stands in %d lines of page.def, expected one", kernels[k].name, count);
    }
}

/* What is said is the second column; "waits at %s" says it of a place. */
static void print_line(const struct line *line, char *text, size_t size)
{
    snprintf(text, size, "\n| %s |", line->first);
    if (line->table != FOUND)
        return;
    const char *said = find(FOUND, line->kernels, strcspn(line->kernels, " "))->says, *place = strstr(said, "%s");
    if (place)
        text_append(text, size, " `%.*sFILE:LINE%s` |\n", (int)(place - said), said, place + 2);
    else
        text_append(text, size, " `%s` |\n", said);
}

TEST(the_tables_of_the_page_have_these_lines_alone)
{
    static char page[1 << 16];
    char text[512];
    size_t rows = 0;
    file_get(TEST_GOLDEN_DIR "/../../docs/simulator.md", page, sizeof page);
    for (size_t i = 0; i < LINES; i++) {
        print_line(&lines[i], text, sizeof text);
        if (!strstr(page, text))
            fail_msg("docs/simulator.md has no line '%s'", text + 1);
    }
    for (const char *at = page; (at = strstr(at, "\n| ")); at++)
        rows++;
    assert_int_equal(rows, LINES + TABLES); /* each has a heading */
}
