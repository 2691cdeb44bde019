/* At which size a device overtakes the host. */
#include "bench/report/crossover.h"
#include "bench/report/report_text.h"
#include "sample_results.h"
#include "tests/unit.h"

enum { ROWS_MAX = 64 };
static struct result rows[ROWS_MAX];
static size_t row_count;

static int start(void **state)
{
    row_count = 0;
    return 0;
}

/* A row on a workload of that name and size. */
static struct result *add(const char *workload, double bytes, const char *variant, const char *mode, double median_s)
{
    assert_true(row_count < ROWS_MAX);
    struct result *r = &rows[row_count++];
    *r = timed(row("matmul", "mnist", variant, mode), median_s);
    strcpy(r->workload, workload);
    r->bytes = r->flops = bytes;
    if (strcmp(mode, "e2e") == 0)
        strcpy(r->transfer, "pinned");
    return r;
}

/* A workload on which the device is `gain` times as fast as the host. */
static void add_size(const char *workload, double bytes, double gain)
{
    add(workload, bytes, "cpu_auto", "hot", 1);
    add(workload, bytes, "cublas", "hot", 1 / gain);
}

/* The heading, and these lines; no line, and nothing. */
static void assert_report(const char *lines)
{
    static char text[TEXT_MAX];
    char expected[4096];
    const struct result_list list = {rows, row_count};
    PRINT_TO(text, to, sentences_print(to, "When is a device faster?", crossovers_json(&list)));
    snprintf(expected, sizeof expected, "%s%s", lines[0] ? "\nWhen is a device faster?\n" : "", lines);
    assert_string_equal(text, expected);
}

/* A line of the kernel alone, and its words. */
#define ALONE(op, verdict) "  " op ": the kernel alone (hot), the best cuda rung " verdict "\n"
#define FASTER_AT(sizes) "is faster than the best cpu rung (hot) at " sizes " sizes"
#define NOT_AT(last) ", the last where it is not being " last
#define FROM(first) ", and always from " first " on"
#define AT(size, gain) size " (" gain "x, cublas against cpu_auto)"

AROUND_EACH_TEST(start, NULL)

TEST(the_verdict_says_how_it_goes_with_size)
{
    static const struct {
        double gains[4]; /* of a, b, c, and d if it is not 0 */
        const char *verdict;
    } cases[] = {
        {{0.25, 0.6123, 1.9, 150.4}, FASTER_AT("2 of 4") NOT_AT(AT("b", "0.612")) FROM(AT("c", "1.9"))},
        {{0.25, 1 /* as fast is not faster */, 3}, FASTER_AT("1 of 3") NOT_AT(AT("b", "1")) FROM(AT("c", "3"))},
        {{150.4, 1.25, 2}, FASTER_AT("3 of 3") FROM(AT("a", "150"))},
        {{0.25, 0.5, 1 /* as fast is not faster */}, FASTER_AT("0 of 3") NOT_AT(AT("c", "1"))},
        {{2, 0.5, 150.4}, FASTER_AT("2 of 3") NOT_AT(AT("b", "0.5")) FROM(AT("c", "150"))},
        {{2, 0.5, 150.4, 0.75}, FASTER_AT("2 of 4") NOT_AT(AT("d", "0.75"))},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        start(state);
        for (size_t size = 0; size < 4 && cases[i].gains[size] > 0; size++)
            add_size((const char *const[]){"a", "b", "c", "d"}[size], (double)size + 1, cases[i].gains[size]);
        char line[256];
        snprintf(line, sizeof line, ALONE("matmul", "%s"), cases[i].verdict);
        assert_report(line);
    }
}

TEST(sizes_are_ordered_by_bytes_then_by_operations)
{
    static const struct {
        const char *name;
        double bytes, flops, gain;
    } sizes[] = {{"third", 2, 8, 3}, {"fourth", 3, 1, 150.4}, {"second", 2, 7, 0.5}, {"first", 1, 9, 0.25}};
    for (size_t i = 0; i < 4; i++) {
        add_size(sizes[i].name, sizes[i].bytes, sizes[i].gain);
        rows[2 * i].flops = rows[2 * i + 1].flops = sizes[i].flops;
    }
    assert_report(ALONE("matmul", FASTER_AT("2 of 4") NOT_AT(AT("second", "0.5")) FROM(AT("third", "3"))));
}

TEST(the_fastest_fair_rung_of_each_side_counts)
{
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"a", "b", "c"};
        add(names[i], i + 1, "cpu_scalar", "hot", 9);
        add(names[i], i + 1, "cpu_auto", "hot", 4);
        add(names[i], i + 1, "cpu_reordered", "hot", 5);
        add(names[i], i + 1, "cpu_other", "hot", 0.5)->unfair = "tf32";
        add(names[i], i + 1, "cpu_auto", "cold", 0.5);
        add(names[i], i + 1, "cuda_naive", "hot", 3);
        add(names[i], i + 1, "cuda_tiled", "hot", 2);
        add(names[i], i + 1, "cuda_slowed", "hot", 0.5)->slowdown_pct = 5;
        add(names[i], i + 1, "cuda_wrong", "hot", 0.5)->status = STATUS_FAILED;
        strcpy(add(names[i], i + 1, "cuda_handing", "hot", 0.5)->runs_as, "cuda_naive");
        add(names[i], i + 1, "cuda_tiled", "cold", 0.5);
        add(names[i], i + 1, "cuda_idle", "hot", 0.5)->statistics = statistics_of(NULL, 0);
    }
    assert_report(ALONE("matmul", FASTER_AT("3 of 3") FROM("a (2x, cuda_tiled against cpu_auto)")));
}

TEST(fewer_than_three_sizes_say_nothing)
{
    assert_report("");
    add_size("a", 1, 0.5);
    add_size("b", 2, 2);
    add("c", 3, "cpu_auto", "hot", 1);
    add("d", 4, "cublas", "hot", 1);
    add("e", 5, "cpu_auto", "hot", 1);
    add("e", 5, "cublas", "e2e", 1);
    assert_report("");
}

TEST(a_size_where_nobody_knows_a_best_rung_is_named_with_the_mark)
{
    add_size("a", 1, 0.5);
    add_size("b", 2, 2);
    add("marked", 3, "cpu_auto", "hot", 1);
    strcpy(add("marked", 3, "openblas", "hot", 0.5)->conditions.marks, "over-ceiling");
    add("marked", 3, "cpu_other", "hot", 0.1)->unfair = "tf32";
    add("marked", 3, "cublas", "hot", 0.25);
    add("cold", 4, "cpu_auto", "cold", 1);
    add("cold", 4, "cublas", "hot", 1);
    add_size("c", 5, 4);
    add("tensor", 6, "cpu_auto", "hot", 1);
    add("tensor", 6, "cublas_tf32", "hot", 0.5)->unfair = "tf32";
    assert_report(
        ALONE("matmul", FASTER_AT("2 of 3") NOT_AT(AT("a", "0.5")) FROM(AT(
                            "b", "2")) ", unknown at marked (openblas is over-ceiling), tensor (cublas_tf32 is tf32)"));
}

/* Those of a kernel of the user's own come last. */
TEST(what_differs_in_more_than_size_has_its_own_lines)
{
    static const struct {
        const char *op, *workload, *shape;
        double bytes, gain;
    } sizes[] = {
        {"zip", "small-row", "2x3xrow", 1, 0.5},
        {"zip", "small-whole", "2x3xwhole", 2, 2},
        {"zip", "row", "20x30xrow", 3, 0.5},
        {"zip", "whole", "20x30xwhole", 4, 2},
        {"zip", "large-row", "200x300xrow", 5, 1.5},
        {"zip", "large-whole", "200x300xwhole", 6, 2},
        {"map", "small", "2x3", 7, 3},
        {"map", "medium", "20x30", 8, 3},
        {"map", "large", "200x300", 9, 3},
        {"dot", "one", "6", 7, 0.3},
        {"zip", "a-column", "2x3xcolumn", 7, 3},
        {"zip", "b-column", "20x30xcolumn", 8, 3},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        add_size(sizes[i].workload, sizes[i].bytes, sizes[i].gain);
        if (strcmp(sizes[i].op, "map") == 0)
            add(sizes[i].workload, sizes[i].bytes, "cublas", "e2e", 2);
        for (struct result *r = rows; r < rows + row_count; r++)
            if (strcmp(r->workload, sizes[i].workload) == 0) {
                strcpy(r->op, sizes[i].op);
                strcpy(r->shape, sizes[i].shape);
            }
    }
    static const char with_transfers[] = "  map: with transfers (e2e, pinned), the best cuda rung ";
    char lines[1024];
    snprintf(lines, sizeof lines, "%s%s%s%s%s",
             ALONE("zip, row", FASTER_AT("1 of 3") NOT_AT(AT("row", "0.5")) FROM(AT("large-row", "1.5"))),
             ALONE("zip, whole", FASTER_AT("3 of 3") FROM(AT("small-whole", "2"))), with_transfers,
             FASTER_AT("0 of 3") NOT_AT(AT("large", "0.5")) "\n",
             ALONE("map", FASTER_AT("3 of 3") FROM(AT("small", "3"))));
    assert_report(lines);
}
