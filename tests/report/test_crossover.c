/* At which size a device overtakes the host. */
#include "bench/report/crossover.h"
#include "sample_results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const char text_file[] = "crossover.txt";
static const char heading[] = "\nWhen is a device faster?\n";

static int remove_files(void **state)
{
    (void)state;
    remove(text_file);
    return 0;
}

enum { ROWS_MAX = 64 };
static struct result rows[ROWS_MAX];
static size_t row_count;

static int start(void **state)
{
    row_count = 0;
    return remove_files(state);
}

/* A row on a workload of that name and size. */
static struct result *add(const char *workload, double bytes, const char *variant, const char *mode, double median_s)
{
    assert_true(row_count < ROWS_MAX);
    struct result *r = &rows[row_count++];
    *r = timed(row("matmul", "mnist", variant, mode), median_s);
    strcpy(r->workload, workload);
    r->bytes = bytes;
    r->flops = bytes;
    if (strcmp(mode, "e2e") == 0)
        strcpy(r->transfer, "pinned");
    return r;
}

/* A workload on which the device is `gain` times as fast as the host, with transfers or on its own. */
static void add_size(const char *workload, double bytes, const char *device_mode, double gain)
{
    add(workload, bytes, "cpu_tuned", "hot", 1);
    add(workload, bytes, "cublas", device_mode, 1 / gain);
}

static const char *report(void)
{
    static char text[TEXT_MAX];
    struct error error = {""};
    FILE *to = fopen(text_file, "w");
    assert_non_null(to);
    assert_true(crossovers_print(&(struct result_list){rows, row_count, row_count}, to, &error));
    fclose(to);
    read_file(text_file, text);
    return text;
}

/* The heading, and these lines. */
static void assert_report(const char *lines)
{
    char expected[4096];
    snprintf(expected, sizeof expected, "%s%s", heading, lines);
    assert_string_equal(report(), expected);
}

static void a_crossover_lies_between_two_sizes(void **state)
{
    (void)state;
    add_size("square-128", 1, "e2e", 0.25);
    add_size("square-256", 2, "e2e", 0.6123);
    add_size("square-512", 3, "e2e", 1.9);
    add_size("square-1024", 4, "e2e", 150.4);
    assert_report(
        "  matmul: with transfers (e2e, pinned), the best cuda rung overtakes the best cpu rung (hot) between "
        "square-256 (0.612x, cublas against cpu_tuned) and square-512 (1.9x, cublas against cpu_tuned)\n");
}

static void a_device_may_win_everywhere(void **state)
{
    (void)state;
    add_size("small", 1, "hot", 1.25);
    add_size("medium", 2, "hot", 150.4);
    add_size("large", 3, "hot", 2);
    assert_report(
        "  matmul: the kernel alone (hot), the best cuda rung is faster than the best cpu rung (hot) at every "
        "size, from small (1.25x, cublas against cpu_tuned) on\n");
}

static void a_device_may_win_nowhere(void **state)
{
    (void)state;
    add_size("small", 1, "hot", 0.25);
    add_size("medium", 2, "hot", 0.5);
    add_size("large", 3, "hot", 1); /* as fast is not faster */
    assert_report(
        "  matmul: the kernel alone (hot), the best cuda rung is faster than the best cpu rung (hot) at no size "
        "up to large (1x, cublas against cpu_tuned)\n");
}

static void what_goes_up_and_down_names_the_last_size_at_which_the_device_loses(void **state)
{
    (void)state;
    add_size("a", 1, "hot", 2);
    add_size("b", 2, "hot", 0.5);
    add_size("c", 3, "hot", 150.4);
    assert_report(
        "  matmul: the kernel alone (hot), the best cuda rung is faster than the best cpu rung (hot) at 2 of 3 "
        "sizes; the last at which it is not is b (0.5x, cublas against cpu_tuned)\n");
    add_size("d", 4, "hot", 0.75);
    assert_report(
        "  matmul: the kernel alone (hot), the best cuda rung is faster than the best cpu rung (hot) at 2 of 4 "
        "sizes; the last at which it is not is d (0.75x, cublas against cpu_tuned), the largest\n");
}

static void sizes_are_ordered_by_bytes_then_by_operations(void **state)
{
    (void)state;
    add_size("third", 2, "hot", 3);
    rows[0].flops = rows[1].flops = 8;
    add_size("fourth", 3, "hot", 150.4);
    rows[2].flops = rows[3].flops = 1;
    add_size("second", 2, "hot", 0.5);
    rows[4].flops = rows[5].flops = 7;
    add_size("first", 1, "hot", 0.25);
    rows[6].flops = rows[7].flops = 9;
    assert_report(
        "  matmul: the kernel alone (hot), the best cuda rung overtakes the best cpu rung (hot) between second "
        "(0.5x, cublas against cpu_tuned) and third (3x, cublas against cpu_tuned)\n");
}

static void the_fastest_fair_rung_of_each_side_counts(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"a", "b", "c"};
        add(names[i], i + 1, "cpu_scalar", "hot", 9);
        add(names[i], i + 1, "cpu_tuned", "hot", 4);
        add(names[i], i + 1, "cpu_reordered", "hot", 5);
        add(names[i], i + 1, "cpu_other", "hot", 0.5)->unfair = "tf32";
        add(names[i], i + 1, "cpu_tuned", "cold", 0.5);
        add(names[i], i + 1, "cuda_naive", "hot", 3);
        add(names[i], i + 1, "cuda_tiled", "hot", 2);
        add(names[i], i + 1, "cuda_vector", "hot", 2.5);
        add(names[i], i + 1, "cublas_tf32", "hot", 0.5)->unfair = "tf32";
        add(names[i], i + 1, "cuda_slowed", "hot", 0.5)->slowdown_pct = 5;
        add(names[i], i + 1, "cuda_wrong", "hot", 0.5)->status = STATUS_FAILED;
        strcpy(add(names[i], i + 1, "cuda_handing", "hot", 0.5)->runs_as, "cuda_naive");
        add(names[i], i + 1, "cuda_tiled", "cold", 0.5);
        struct result *verified = add(names[i], i + 1, "cuda_idle", "hot", 0.5);
        verified->statistics = statistics_of(NULL, 0);
    }
    assert_report(
        "  matmul: the kernel alone (hot), the best cuda rung is faster than the best cpu rung (hot) at every "
        "size, from a (2x, cuda_tiled against cpu_tuned) on\n");
}

static void fewer_than_three_sizes_say_nothing(void **state)
{
    (void)state;
    assert_string_equal(report(), "");
    add_size("a", 1, "hot", 0.5);
    add_size("b", 2, "hot", 2);
    add("c", 3, "cpu_tuned", "hot", 1);
    add("d", 4, "cublas", "hot", 1);
    add("e", 5, "cpu_tuned", "hot", 1);
    add("e", 5, "cublas", "e2e", 1);
    assert_string_equal(report(), "");
}

static void each_operation_has_its_own_lines(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        add_size(names[i], i + 1, "e2e", 0.5);
        add(names[i], i + 1, "cublas", "hot", 0.25);
    }
    size_t matmul_count = row_count;
    for (int i = 0; i < 3; i++)
        add_size(names[i], i + 1, "hot", 1.5);
    for (size_t i = matmul_count; i < row_count; i++)
        strcpy(rows[i].op, "grayscale");
    assert_report(
        "  matmul: with transfers (e2e, pinned), the best cuda rung is faster than the best cpu rung (hot) at no "
        "size up to c (0.5x, cublas against cpu_tuned)\n"
        "  matmul: the kernel alone (hot), the best cuda rung is faster than the best cpu rung (hot) at every "
        "size, from a (4x, cublas against cpu_tuned) on\n"
        "  grayscale: the kernel alone (hot), the best cuda rung is faster than the best cpu rung (hot) at every "
        "size, from a (1.5x, cublas against cpu_tuned) on\n");
}

/* A size that is a word is no size: what differs in it is another thing to compare. */
static void what_a_shape_says_in_a_word_is_kept_apart(void **state)
{
    (void)state;
    static const struct {
        const char *workload, *shape;
        double bytes, gain;
    } sizes[] = {
        {"small-row", "2x3xrow", 1, 0.5},
        {"small-whole", "2x3xwhole", 2, 2},
        {"row", "20x30xrow", 3, 0.5},
        {"whole", "20x30xwhole", 4, 2},
        {"large-row", "200x300xrow", 5, 1.5},
        {"large-whole", "200x300xwhole", 6, 2},
        {"small", "2x3", 7, 3},
        {"medium", "20x30", 8, 3},
        {"large", "200x300", 9, 3},
        {"a-column", "2x3xcolumn", 7, 3},
        {"b-column", "20x30xcolumn", 8, 3},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        add_size(sizes[i].workload, sizes[i].bytes, "hot", sizes[i].gain);
        strcpy(rows[2 * i].shape, sizes[i].shape);
        strcpy(rows[2 * i + 1].shape, sizes[i].shape);
    }
    assert_report(
        "  matmul, row: the kernel alone (hot), the best cuda rung overtakes the best cpu rung (hot) between row "
        "(0.5x, cublas against cpu_tuned) and large-row (1.5x, cublas against cpu_tuned)\n"
        "  matmul, whole: the kernel alone (hot), the best cuda rung is faster than the best cpu rung (hot) at "
        "every size, from small-whole (2x, cublas against cpu_tuned) on\n"
        "  matmul: the kernel alone (hot), the best cuda rung is faster than the best cpu rung (hot) at every "
        "size, from small (3x, cublas against cpu_tuned) on\n");
}

#define test(function) cmocka_unit_test_setup(function, start)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_crossover_lies_between_two_sizes),
        test(a_device_may_win_everywhere),
        test(a_device_may_win_nowhere),
        test(what_goes_up_and_down_names_the_last_size_at_which_the_device_loses),
        test(sizes_are_ordered_by_bytes_then_by_operations),
        test(the_fastest_fair_rung_of_each_side_counts),
        test(fewer_than_three_sizes_say_nothing),
        test(each_operation_has_its_own_lines),
        test(what_a_shape_says_in_a_word_is_kept_apart),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
