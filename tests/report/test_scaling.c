/* How several GPUs stand to one. */
#include "bench/report/scaling.h"
#include "bench/report/report_text.h"
#include "bench/report/crossover.h"
#include "bench/table/op.h"
#include "sample_results.h"
#include "tests/unit.h"

enum { ROWS_MAX = 32 };
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

/* A row on a workload of that name and shape, of several GPUs if its variant begins so. */
static struct result *add(const char *workload, const char *shape, const char *variant, double median_s)
{
    const bool is_together = strncmp(variant, "gpus", 4) == 0;
    assert_true(row_count < ROWS_MAX);
    struct result *r = &rows[row_count++];
    *r = timed(row("matmul", "mnist", is_together ? "cublas" : variant, "hot"), median_s);
    strcpy(r->workload, workload);
    strcpy(r->shape, shape);
    if (is_together) {
        strcpy(r->variant, variant);
        strcpy(r->backend, "gpus");
        r->device = &together;
    }
    return r;
}

static void assert_report(const char *lines)
{
    static char text[TEXT_MAX];
    char expected[4096];
    const struct result_list list = {rows, row_count};
    PRINT_TO(text, to, sentences_print(to, "Are several GPUs faster?", scaling_json(&list)));
    snprintf(expected, sizeof expected, "%s%s", lines[0] ? "\nAre several GPUs faster?\n" : "", lines);
    assert_string_equal(text, expected);
}

AROUND_EACH_TEST(start, NULL)

TEST(the_same_size_and_the_share_of_each_are_compared_with_one)
{
    add("half", "4x5", "cublas", 3e-3);
    add("half", "4x5", "cuda_slower", 4e-3);
    add("other", "2x10", "cublas", 1e-3); /* as much work, but another share */
    add("quarter", "4x2", "cublas", 1e-3);
    add("whole", "8x5", "cpu_auto", 1e-3);
    add("whole", "8x5", "cublas", 6e-3);
    add("whole", "8x5", "gpus_slower", 5e-3);
    add("whole", "8x5", "gpus_rows", 4e-3);
    assert_report(
        "  matmul/whole: 2 GPUs (gpus_rows, hot) take 4.000 ms, 1.50 times as fast as one (cublas); what each has "
        "(half) takes one 3.000 ms (cublas): 1.50 times the work in that time, 25.0 % of it is "
        "communication\n");
}

/* What each has takes one no less: nothing is left to be called communication. */
TEST(a_gain_beyond_what_several_can_share_is_no_communication)
{
    add("half", "4x5", "cublas", 3e-3);
    add("whole", "8x5", "cublas", 6e-3);
    add("whole", "8x5", "gpus_rows", 2e-3);
    assert_report("  matmul/whole: 2 GPUs (gpus_rows, hot) take 2.000 ms, 3.00 times as fast as one (cublas)\n");
}

TEST(it_is_said_where_one_is_faster)
{
    add("small", "8x5", "cublas", 3e-6);
    add("small", "8x5", "gpus_rows", 4e-6);
    add("other", "3x5", "cublas", 3e-6); /* no share: it has less than half of the work */
    assert_report("  matmul/small: 2 GPUs (gpus_rows, hot) take 4.000 us, 0.75 times as fast as one (cublas): one is "
                  "faster\n");
}

TEST(without_a_time_on_both_sides_nothing_is_said)
{
    add("alone", "8", "gpus_rows", 4e-6);
    add("other", "7", "cublas", 3e-6);
    add("host", "5", "cpu_auto", 3e-6);
    add("host", "5", "gpus_rows", 3e-6);
    assert_report("");
}

/* nccl-tests, doc/PERFORMANCE.md: of an allreduce each way 2 (N - 1) / N of what each gets. */
TEST(a_collective_has_the_bandwidths_of_nccl_tests)
{
    static const struct workload of_four = {"", {4, 1000}, 0}, of_one = {"", {1, 10}, 0}, product = {"", {4, 5, 6}, 0};
    const struct op_cost cost = op_cost(&allreduce_op, &of_four);
    struct result *r = add("half", "4", "gpus_ring", 2e-6);
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
    static char text[TEXT_MAX];
    const char *names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        add(names[i], "3x5", "cpu_auto", 1)->bytes = i;
        add(names[i], "3x5", "cublas", 0.5)->bytes = i;
        add(names[i], "3x5", "gpus_rows", i < 1 ? 0.75 : 0.25)->bytes = i;
    }
    const struct result_list list = {rows, row_count};
    PRINT_TO(text, to, sentences_print(to, "When is a device faster?", crossovers_json(&list)));
    assert_non_null(strstr(text, "the kernel alone (hot), the best cuda rung is faster than the best cpu rung (hot) at "
                                 "3 of 3 sizes, and always from a (2x, cublas against cpu_auto)"));
    assert_non_null(strstr(text,
                           "several GPUs (hot), the best gpus rung is faster than the best cuda rung (hot) at 2 of "
                           "3 sizes, the last where it is not being a (0.667x, gpus_rows against cublas), and "
                           "always from b (2x, gpus_rows against cublas)"));
}
