/* docs/simulator.md: its tables are made from the kernels that are tested (RUNGBENCH_UPDATE_GOLDEN=1 writes them
 * again).
 */
#include "order_kernels.h"
#include "right_kernels.h"
#include "wrong_kernels.h"
#include "tests/report/sample_results.h"
#include "tests/unit.h"

enum table { FOUND, TAKEN, MISSED, TABLES };

static const char *const headings[TABLES] = {
    [FOUND] = "| mistake | what is said |\n|---|---|\n",
    [TAKEN] = "| kind | what is taken |\n|---|---|\n",
    [MISSED] = "| mistake | why it does not show |\n|---|---|\n",
};

static const struct kernel {
    enum table table;
    const char *name, *says;
} kernels[] = {
#define WRONG_ONE(name, blocks, shared, block, thread, what) {FOUND, #name, what},
#define TURN_ONE(name, element, block, shows, order) {FOUND, #name, shows},
#define RIGHT_ONE(name, ...) {TAKEN, #name, ""},
#define HOPPER_ONE(name, threads, said) {FOUND, #name, said},
#define OTHER_ONE(name, said) {sizeof(said) > 1 ? FOUND : MISSED, #name, said},
    WRONG_ACCESSES(WRONG_ONE) WRONG_WAITS(WRONG_ONE) WRONG_BEFORE(WRONG_ONE) WRONG_TRAPS(WRONG_ONE)
        WRONG_STACKS(WRONG_ONE) TURN_KERNELS(TURN_ONE) WRONG_PTX(WRONG_ONE) HOPPER_KERNELS(HOPPER_ONE)
            TENSOR_KERNELS(OTHER_ONE) RIGHT_KERNELS(RIGHT_ONE) RIGHT_HOPPER_KERNELS(RIGHT_ONE)
                OTHER_KERNELS(OTHER_ONE)};

static const struct line {
    enum table table;
    const char *kernels, *first, *second; /* columns; NULL: what is said */
} lines[] = {
#define FINDS(kernels, mistake) {FOUND, kernels, mistake, NULL},
#define TAKES(kind, kernels, what) {TAKEN, kernels, kind, what},
#define MISSES(kernels, mistake, why) {MISSED, kernels, mistake, why},
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

/* Of "waits at %s" as it is printed. */
static void put_message(FILE *to, const char *message)
{
    const char *place = strstr(message, "%s");
    if (place)
        fprintf(to, "`%.*sFILE:LINE%s`", (int)(place - message), message, place + 2);
    else
        fprintf(to, "`%s`", message);
}

static void put_table(FILE *to, enum table table)
{
    fputs(headings[table], to);
    for (const struct line *line = lines; line < lines + LINES; line++) {
        if (line->table != table)
            continue;
        fprintf(to, "| %s | ", line->first);
        if (line->second)
            fputs(line->second, to);
        else
            put_message(to, find(table, line->kernels, strcspn(line->kernels, " "))->says);
        fputs(" |\n", to);
    }
}

/* Each table takes the place of the lines that begin with its heading's. */
TEST(the_tables_of_the_page_are_those_of_the_kernels)
{
    static char text[TEXT_MAX], page[TEXT_MAX];
    file_get(TEST_GOLDEN_DIR "/../../docs/simulator.md", page, sizeof page);
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    const char *rest = page;
    for (enum table table = 0; table < TABLES; table++) {
        const char *place = strstr(rest, headings[table]);
        assert_non_null(place);
        fprintf(to, "%.*s", (int)(place - rest), rest);
        put_table(to, table);
        rest = strstr(place, "|\n\n");
        assert_non_null(rest);
        rest += strlen("|\n");
    }
    fputs(rest, to);
    assert_int_equal(fclose(to), 0);
    assert_is_golden("../../docs/simulator.md", text);
}
