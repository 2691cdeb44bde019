/* At which size a device overtakes the host, and how several GPUs stand to one. */
#include "bench/report/crossover.h"
#include "bench/report/report_text.h"
#include "bench/report/scaling.h"
#include "bench/table/op.h"
#include "sample_results.h"
#include "tests/unit.h"

enum { ROWS_MAX = 64 };
static struct result rows[ROWS_MAX];
static size_t row_count;
static struct device_info together;

static int start(void **state)
{
    row_count = 0;
    together = sample_gpu;
    together.cards = 2;
    return 0;
}

/* A row on a workload of that name and size, of several GPUs if its variant begins so. */
static struct result *add(const char *workload, double bytes, const char *variant, const char *mode, double median_s)
{
    const bool is_together = strncmp(variant, "gpus", 4) == 0;
    assert_true(row_count < ROWS_MAX);
    struct result *r = &rows[row_count++];
    *r = timed(row("matmul", "mnist", is_together ? "cublas" : variant, mode), median_s);
    strcpy(r->workload, workload);
    r->bytes = r->flops = bytes;
    if (strcmp(mode, "e2e") == 0)
        strcpy(r->transfer, "pinned");
    if (is_together) {
        strcpy(r->variant, variant);
        strcpy(r->backend, "gpus");
        r->device = &together;
    }
    return r;
}

/* A workload on which the device is `gain` times as fast as the host. */
static void add_size(const char *workload, double bytes, double gain)
{
    add(workload, bytes, "cpu_auto", "hot", 1);
    add(workload, bytes, "cublas", "hot", 1 / gain);
}

/* The heading, and these lines; no line, and nothing. */
static void assert_printed(const char *heading, json_t *(*list_of)(const struct result_list *rows), const char *lines)
{
    static char text[TEXT_MAX];
    char expected[4096];
    const struct result_list list = {rows, row_count};
    PRINT_TO(text, to, sentences_print(to, heading, list_of(&list)));
    snprintf(expected, sizeof expected, "%s%s%s%s", lines[0] ? "\n" : "", lines[0] ? heading : "", lines[0] ? "\n" : "",
             lines);
    assert_string_equal(text, expected);
}

static void assert_report(const char *lines)
{
    assert_printed("When is a device faster?", crossovers_json, lines);
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

static struct result *add_shape(const char *workload, const char *shape, const char *variant, double median_s)
{
    struct result *r = add(workload, 1, variant, "hot", median_s);
    strcpy(r->shape, shape);
    return r;
}

static void assert_scaling(const char *lines)
{
    assert_printed("Are several GPUs faster?", scaling_json, lines);
}

TEST(the_same_size_and_the_share_of_each_are_compared_with_one)
{
    add_shape("half", "4x5", "cublas", 3e-3);
    add_shape("half", "4x5", "cuda_slower", 4e-3);
    add_shape("other", "2x10", "cublas", 1e-3); /* as much work, but another share */
    add_shape("quarter", "4x2", "cublas", 1e-3);
    add_shape("whole", "8x5", "cpu_auto", 1e-3);
    add_shape("whole", "8x5", "cublas", 6e-3);
    add_shape("whole", "8x5", "gpus_slower", 5e-3);
    add_shape("whole", "8x5", "gpus_rows", 4e-3);
    assert_scaling(
        "  matmul/whole: 2 GPUs (gpus_rows, hot) take 4.000 ms, 1.50 times as fast as one (cublas); what each has "
        "(half) takes one 3.000 ms (cublas): 1.50 times the work in that time, 25.0 % of it is "
        "communication\n");
}

/* What each has takes one no less: nothing is left to be called communication. */
TEST(a_gain_beyond_what_several_can_share_is_no_communication)
{
    add_shape("half", "4x5", "cublas", 3e-3);
    add_shape("whole", "8x5", "cublas", 6e-3);
    add_shape("whole", "8x5", "gpus_rows", 2e-3);
    assert_scaling("  matmul/whole: 2 GPUs (gpus_rows, hot) take 2.000 ms, 3.00 times as fast as one (cublas)\n");
}

TEST(it_is_said_where_one_is_faster)
{
    add_shape("small", "8x5", "cublas", 3e-6);
    add_shape("small", "8x5", "gpus_rows", 4e-6);
    add_shape("other", "3x5", "cublas", 3e-6); /* no share: it has less than half of the work */
    assert_scaling("  matmul/small: 2 GPUs (gpus_rows, hot) take 4.000 us, 0.75 times as fast as one (cublas): one is "
                   "faster\n");
}

TEST(without_a_time_on_both_sides_nothing_is_said)
{
    add_shape("alone", "8", "gpus_rows", 4e-6);
    add_shape("other", "7", "cublas", 3e-6);
    add_shape("host", "5", "cpu_auto", 3e-6);
    add_shape("host", "5", "gpus_rows", 3e-6);
    assert_scaling("");
}

/* nccl-tests, doc/PERFORMANCE.md: of an allreduce each way 2 (N - 1) / N of what each gets. */
TEST(a_collective_has_the_bandwidths_of_nccl_tests)
{
    static const struct workload of_four = {"", {4, 1000}, 0}, of_one = {"", {1, 10}, 0}, product = {"", {4, 5, 6}, 0};
    const struct op_cost cost = op_cost(&allreduce_op, &of_four);
    struct result *r = add_shape("half", "4", "gpus_ring", 2e-6);
    r->message_bytes = cost.message_bytes;
    r->passed_bytes = cost.passed_bytes;
    result_derive(r);
    assert_float_equal(r->alg_gbs, 4000 / 2e-6 * 1e-9, 1e-9);
    assert_float_equal(r->bus_gbs, 6000 / 2e-6 * 1e-9, 1e-9);
    assert_float_equal(op_cost(&allreduce_op, &of_one).passed_bytes, 0, 0);
    assert_true(isnan(op_cost(&matmul_op, &product).message_bytes));
}

/* The sizes at which several win stand among the crossovers, and hosts are compared with one device alone. */
TEST(crossovers_have_several_gpus_apart)
{
    static const char *const names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        add_size(names[i], i, 2);
        add(names[i], i, "gpus_rows", "hot", i < 1 ? 0.75 : 0.25);
    }
    assert_report(ALONE("matmul", FASTER_AT("3 of 3") FROM(AT(
                                      "a", "2"))) "  matmul: several GPUs (hot), the best gpus "
                                                  "rung is faster than the best cuda rung (hot) at 2 of 3 sizes" NOT_AT(
                                                      "a (0.667x, gpus_rows against "
                                                      "cublas)") FROM("b (2x, gpus_rows against cublas)") "\n");
}
