/* The table for people: what stands in a line, which row is the best of its mode, and what it is compared with. */
#include "written_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static void the_fastest_rung_of_each_mode_is_marked(void **state)
{
    (void)state;
    struct result results[] = {
        timed(row("matmul", "mnist", "cpu_scalar", "cold"), 0.1),
        timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.1),
        timed(row("matmul", "mnist", "cpu_tuned", "cold"), 0.05),
        timed(row("matmul", "mnist", "cpu_tuned", "hot"), 0.2),
        timed(row("matmul", "mnist", "cublas", "e2e"), 0.5),
    };
    char text[TEXT_MAX];
    write_table(results, 5, false, text);
    assert_false(is_marked(text, "cpu_scalar", "cold"));
    assert_true(is_marked(text, "cpu_scalar", "hot"));
    assert_true(is_marked(text, "cpu_tuned", "cold"));
    assert_false(is_marked(text, "cpu_tuned", "hot"));
    assert_true(is_marked(text, "cublas", "e2e"));
}

static void lower_precision_is_named_and_never_best(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cublas", "hot"), 0.2),
                               timed(row("matmul", "mnist", "cublas_tf32", "hot"), 0.1)};
    results[1].unfair = "tf32";
    strcpy(results[1].precision, "tf32");
    char text[TEXT_MAX];
    write_table(results, 2, false, text);
    assert_true(is_marked(text, "cublas", "hot"));
    assert_false(is_marked(text, "cublas_tf32", "hot"));
    assert_true(has_line(text, "  tf32: cublas_tf32 hot"));
    assert_null(strstr(text, "fp32"));
}

static void a_rung_that_handed_over_names_the_other_and_is_never_best(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.4),
                               timed(row("matmul", "mnist", "cpu_tuned", "hot"), 0.1),
                               timed(row("matmul", "mnist", "cuda_tiled", "hot"), 0.2),
                               timed(row("matmul", "mnist", "cuda_skinny", "hot"), 0.1)};
    strcpy(results[1].runs_as, "cpu_scalar");
    strcpy(results[3].runs_as, "cuda_tiled");
    char text[TEXT_MAX];
    write_table(results, 4, false, text);
    assert_true(is_marked(text, "cuda_tiled", "hot"));
    assert_false(is_marked(text, "cuda_skinny", "hot"));
    assert_true(has_line(text, "  runs_as=cuda_tiled: cuda_skinny hot"));
    assert_string_equal(column_of(text, "cuda_tiled", "hot", COLUMN_OVER_CPU), "2.00"); /* not over cpu_tuned */
    struct result verified = row("matmul", "mnist", "cuda_skinny", "verify");
    strcpy(verified.runs_as, "cuda_tiled");
    write_table(&verified, 1, false, text);
    assert_true(ends_with(line_of(text, "cuda_skinny", "verify"), " correct = cuda_tiled"));
}

static void a_slowed_row_is_marked_never_best_and_compared_with_nothing(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.2),
                               timed(row("matmul", "mnist", "cpu_tuned", "hot"), 0.1),
                               timed(row("matmul", "mnist", "cublas", "hot"), 0.05)};
    char text[TEXT_MAX];
    for (size_t i = 1; i < 3; i++) {
        results[i].slowdown_pct = 50;
        results[i].baseline[0] = '\0';
        results[i].speedup = NAN;
        snprintf(results[i].conditions.marks, sizeof results[i].conditions.marks, "slowed");
    }
    write_table(results, 3, false, text);
    assert_true(is_marked(text, "cpu_scalar", "hot"));
    assert_false(is_marked(text, "cpu_tuned", "hot") || is_marked(text, "cublas", "hot"));
    assert_true(has_line(text, "  slowed: cpu_tuned hot, cublas hot"));
    assert_speedups(text, "cublas", "hot", "-", "-");
    results[2].slowdown_pct = NAN;
    write_table(results, 3, false, text);
    assert_true(is_marked(text, "cublas", "hot"));
    assert_string_equal(column_of(text, "cublas", "hot", COLUMN_OVER_CPU), "4.00"); /* not over the slowed one */
}

static void a_wrong_rung_is_named_and_never_best(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.2),
                               timed(row("matmul", "mnist", "cuda_tiled", "hot"), 0.1)};
    results[1] = wrong(results[1], "wrong answer: C[0,0] is nan");
    char text[TEXT_MAX];
    write_table(results, 2, false, text);
    assert_true(is_marked(text, "cpu_scalar", "hot"));
    assert_false(is_marked(text, "cuda_tiled", "hot"));
    assert_true(ends_with(line_of(text, "cuda_tiled", "hot"), " WRONG:"));
    assert_true(has_line(text, "      wrong answer: C[0"));
}

static void skipped_rungs_are_named_with_their_reason(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.2),
                               skipped(row("matmul", "mnist", "cuda_tiled", "cold"), "built without CUDA"),
                               skipped(row("matmul", "mnist", "cuda_tiled", "hot"), "built without CUDA"),
                               skipped(row("matmul", "mnist", "cublas", "hot"), "no GPU")};
    char text[TEXT_MAX];
    write_table(results, 4, false, text);
    static const char *const expected[] = {"skipped", "cuda_tiled", "built without CUDA", "cublas", "no GPU"};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_non_null(strstr(text, expected[i]));
}

static void speedups_are_over_the_baseline_and_the_best_cpu_rung(void **state)
{
    (void)state;
    struct result results[] = {
        timed(row("matmul", "mnist", "cpu_scalar", "cold"), 0.1),
        timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.1),
        timed(row("matmul", "mnist", "cpu_tuned", "cold"), 0.02),
        timed(row("matmul", "mnist", "cpu_tuned", "hot"), 0.01),
        timed(row("matmul", "mnist", "cublas", "cold"), 0.005),
        timed(row("matmul", "mnist", "cublas", "hot"), 0.001),
        timed(row("matmul", "mnist", "cublas", "e2e"), 0.004),
    };
    char text[TEXT_MAX];
    write_table(results, 7, false, text);
    assert_non_null(strstr(text, "base: cpu_scalar, lib: cublas,"));
    assert_speedups(text, "cpu_scalar", "hot", "1.00", "0.10");
    assert_speedups(text, "cpu_tuned", "cold", "5.00", "1.00");
    assert_speedups(text, "cublas", "cold", "20.0", "4.00");
    assert_speedups(text, "cublas", "hot", "100", "10.0");
    assert_speedups(text, "cublas", "e2e", "25.0", "2.50"); /* over the best hot row on the CPU */
}

static void times_are_shown_in_fitting_units(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } expected[] = {
        {1e-9, " 1.000 ns"},      {812e-9, " 812.0 ns"},    {0.99994e-6, " 999.9 ns"}, {0.99996e-6, " 1.000 us"},
        {4.2134e-6, " 4.213 us"}, {42.134e-6, " 42.13 us"}, {0.99996e-3, " 1.000 ms"}, {13.37e-3, " 13.37 ms"},
        {0.9996, " 999.6 ms"},    {0.99996, " 1.000 s"},    {12.75, " 12.75 s"},       {1234.5, " 1234.5 s"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct result r = timed(row("matmul", "mnist", "cpu_scalar", "hot"), expected[i].seconds);
        char text[TEXT_MAX];
        write_table(&r, 1, false, text);
        if (!strstr(line_of(text, "cpu_scalar", "hot"), expected[i].text))
            fail_msg("no '%s' in '%s'", expected[i].text, line_of(text, "cpu_scalar", "hot"));
    }
}

static void unknown_spread_is_a_question_mark(void **state)
{
    (void)state;
    struct result r = timed(row("matmul", "mnist", "cpu_scalar", "hot"), 2);
    char text[TEXT_MAX];
    write_table(&r, 1, false, text);
    assert_non_null(strstr(line_of(text, "cpu_scalar", "hot"), " 3.0% "));
    r.statistics = statistics_of((double[]){2}, 1);
    write_table(&r, 1, false, text);
    assert_non_null(strstr(line_of(text, "cpu_scalar", "hot"), " ? "));
}

static void marks_stand_below_with_the_rows_that_have_them(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cublas_tf32", "hot"), 1e-6),
                               timed(row("matmul", "mnist", "cuda_tiled", "cold"), 1e-6),
                               timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1e-6)};
    char text[TEXT_MAX];
    results[0].launch_bound = results[2].launch_bound = true;
    results[0].unfair = "tf32";
    snprintf(results[1].conditions.marks, sizeof results[1].conditions.marks, "throttled mps");
    snprintf(results[2].conditions.marks, sizeof results[2].conditions.marks, "mps");
    write_table(results, 3, false, text);
    assert_true(has_line(text, "  tf32: cublas_tf32 hot"));
    assert_true(has_line(text, "  launch-bound: cublas_tf32 hot, cuda_tiled hot"));
    assert_true(has_line(text, "  throttled: cuda_tiled cold"));
    assert_true(has_line(text, "  mps: cuda_tiled cold hot"));
}

static void rows_that_cannot_be_told_from_the_best_are_named(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1e-6),
                               timed(row("matmul", "mnist", "cuda_naive", "hot"), 1.01e-6),
                               timed(row("matmul", "mnist", "cublas", "hot"), 1.5e-6)};
    char text[TEXT_MAX];
    write_table(results, 3, false, text);
    assert_true(has_line(text, "* hot: cuda_tiled, 1.50 x cublas"));
    assert_true(has_line(text, "= hot: as fast, as far as can be told: cuda_naive"));
}

static void the_share_of_the_ceiling_is_shown(void **state)
{
    (void)state;
    static const struct {
        double percent;
        const char *text;
    } expected[] = {{0.04, "0.0"}, {4.26, "4.3"}, {9.94, "9.9"}, {9.96, "10"}, {42.6, "43"}, {103, "103"}, {NAN, "-"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct result r = timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1e-3);
        char text[TEXT_MAX];
        r.floor_s = expected[i].percent / 100 * 1e-3;
        result_derive(&r);
        write_table(&r, 1, false, text);
        assert_string_equal(column_of(text, "cuda_tiled", "hot", COLUMN_CEILING), expected[i].text);
    }
}

static void numbers_keep_their_first_digits(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } expected[] = {{1.234e-5, "1.2e-5"}, {0.001234, "0.0012"}, {0.0493, "0.049"},    {0.0994, "0.099"},
                    {0.0996, "0.10"},     {0.5, "0.50"},        {9.994, "9.99"},      {9.996, "10.0"},
                    {99.94, "99.9"},      {99.96, "100"},       {123153.4, "123153"}, {NAN, "-"}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct result r = timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1);
        char text[TEXT_MAX];
        r.flops = expected[i].value * 1e9;
        result_derive(&r);
        write_table(&r, 1, false, text);
        if (expected[i].value > 0)
            assert_string_equal(column_of(text, "cuda_tiled", "hot", COLUMN_RATE), expected[i].text);
    }
}

/* With the digits that are known: without an interval, or with a wide one, on either side. */
static void a_ratio_of_times_that_are_not_known_well_is_approximate(void **state)
{
    (void)state;
    static const struct {
        double ratio;
        const char *text;
    } expected[] = {{0.000123, "~1e-4"}, {0.0512, "~5e-2"}, {2.41, "~2.4"}, {24.4, "~24"}, {123.4, "~123"}};
    for (size_t i = 0; i < 4 * sizeof expected / sizeof expected[0]; i++) {
        struct result rows[] = {timed(row("matmul", "mnist", "cpu_scalar", "hot"), expected[i / 4].ratio),
                                timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1)};
        struct statistics *of = &rows[i % 2].statistics;
        char text[TEXT_MAX];
        if (i % 4 < 2)
            of->ci_low = of->ci_high = NAN;
        else
            of->ci_high = 1.51 * of->ci_low;
        write_table(rows, 2, false, text);
        assert_string_equal(column_of(text, "cuda_tiled", "hot", COLUMN_OVER_BASELINE), expected[i / 4].text);
        assert_string_equal(column_of(text, "cuda_tiled", "hot", COLUMN_OVER_CPU), expected[i / 4].text);
        assert_non_null(strstr(text, i % 2 ? "  no-interval: cuda_tiled hot\n" : "  no-interval: cpu_scalar hot\n"));
    }
}

static void sizes_are_shown_in_fitting_units(void **state)
{
    (void)state;
    static const struct {
        double bytes, flops;
        const char *text;
    } expected[] = {
        {12, 999, ", 12.00 B, 999.0 flop\n"},
        {999.96e6, 1e3, ", 1.000 GB, 1.000 kflop\n"},
        {1.5e12, 2.5e12, ", 1.500 TB, 2.500 Tflop\n"},
        {1.5e15, 2.5e15, ", 1.500 PB, 2.500 Pflop\n"},
        {4611686018427387904.0, 1e19, ", 4.612 EB, 10.00 Eflop\n"},
        {1e21, 1e22, ", 1000.0 EB, 10000.0 Eflop\n"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct result r = timed(row("matmul", "mnist", "cpu_scalar", "hot"), 1);
        char text[TEXT_MAX];
        r.bytes = expected[i].bytes;
        r.flops = expected[i].flops;
        write_table(&r, 1, false, text);
        if (!strstr(text, expected[i].text))
            fail_msg("no '%s' in '%s'", expected[i].text, text);
    }
}

static void a_speedup_is_over_the_best_fair_cpu_rung_of_its_baselines_mode(void **state)
{
    (void)state;
    struct result results[] = {
        timed(row("matmul", "mnist", "cpu_scalar", "cold"), 0.4),
        timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.2),
        timed(row("matmul", "mnist", "cpu_tuned", "hot"), 0.1),
        timed(row("matmul", "mnist", "cuda_tiled", "graph"), 0.1),
        timed(row("matmul", "mnist", "cuda_tiled", "hot"), 0.1),
    };
    char text[TEXT_MAX];
    results[2].unfair = "tf32";
    write_table(results, 5, false, text);
    assert_string_equal(column_of(text, "cuda_tiled", "graph", COLUMN_OVER_CPU), "2.00");
    results[3].baseline_mode = "cold";
    results[4].baseline_mode = "";
    write_table(results, 5, false, text);
    assert_string_equal(column_of(text, "cuda_tiled", "graph", COLUMN_OVER_CPU), "4.00");
    assert_string_equal(column_of(text, "cuda_tiled", "hot", COLUMN_OVER_CPU), "-");
}

#define test(function) cmocka_unit_test_setup(function, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(the_fastest_rung_of_each_mode_is_marked),
        test(lower_precision_is_named_and_never_best),
        test(a_rung_that_handed_over_names_the_other_and_is_never_best),
        test(a_slowed_row_is_marked_never_best_and_compared_with_nothing),
        test(a_wrong_rung_is_named_and_never_best),
        test(skipped_rungs_are_named_with_their_reason),
        test(speedups_are_over_the_baseline_and_the_best_cpu_rung),
        test(times_are_shown_in_fitting_units),
        test(unknown_spread_is_a_question_mark),
        test(marks_stand_below_with_the_rows_that_have_them),
        test(rows_that_cannot_be_told_from_the_best_are_named),
        test(the_share_of_the_ceiling_is_shown),
        test(numbers_keep_their_first_digits),
        test(a_ratio_of_times_that_are_not_known_well_is_approximate),
        test(sizes_are_shown_in_fitting_units),
        test(a_speedup_is_over_the_best_fair_cpu_rung_of_its_baselines_mode),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
