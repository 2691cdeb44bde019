/* The table for people: its blocks, headings and colours, and a golden file. */
#include "written_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void the_table_is_golden(void **state)
{
    (void)state;
    struct result results[SAMPLE_RESULTS];
    char text[TEXT_MAX];
    write_table(results, make_results(results), false, text);
    assert_is_golden("table.txt", text);
}

static void several_rounds_are_in_the_heading(void **state)
{
    (void)state;
    struct result r = timed(row("matmul", "square-128", "cpu_scalar", "hot"), 1);
    char text[TEXT_MAX];
    write_table(&r, 1, false, text);
    assert_null(strstr(text, "rounds"));
    r = in_round(r, 0);
    write_table(&r, 1, false, text);
    assert_non_null(strstr(text, "\n  input: random, median of 10 rounds\n"));
}

/* Where the first `word` of the text ends in its line. */
static size_t end_of(const char *text, const char *word)
{
    const char *at = strstr(text, word), *start = at;
    assert_non_null(at);
    while (start > text && start[-1] != '\n')
        start--;
    return (size_t)(at - start) + strlen(word);
}

static void columns_stand_below_their_headings(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cpu_scalar", "hot"), 1.25),
                               timed(row("matmul", "mnist", "cpu_tuned", "hot"), 1),
                               timed(row("matmul", "mnist", "cuda_tiled", "e2e_pageable"), 0.5)};
    char text[TEXT_MAX];
    write_table(results, 3, false, text);
    assert_int_equal(end_of(text, " median"), end_of(text, "1.250 s"));
    assert_int_equal(end_of(text, " median"), end_of(text, "500.0 ms"));
    assert_int_equal(end_of(text, "GFLOP/s"), end_of(text, " 1.57"));
    assert_int_equal(end_of(text, "ceil%"), end_of(text, " 42"));
    assert_int_equal(end_of(text, "x base"), end_of(text, " 2.50"));
    assert_int_equal(end_of(text, "x CPU"), end_of(text, " 2.00"));
}

static void no_line_is_wider_than_80_columns(void **state)
{
    (void)state;
    struct result results[SAMPLE_RESULTS];
    size_t count = make_results(results);
    char text[TEXT_MAX];
    strcpy(results[3].variant, "cuda_a_name_of_more_letters_than_there_is_room_for");
    strcpy(results[3].mode, "e2e_pageable");
    write_table(results, count, false, text);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > 80)
            fail_msg("%.*s", (int)strcspn(line, "\n"), line);
    assert_non_null(strstr(text, "  cuda_a_name_of_mo~ e2e_pag~ "));
}

static void tiny_figures_keep_to_their_columns(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.00064),
                               timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1)};
    char text[TEXT_MAX];
    results[1].gflops = 0.00057;
    write_table(results, 2, false, text);
    assert_int_equal(end_of(text, "GFLOP/s"), end_of(text, " 5.7e-4"));
    assert_int_equal(end_of(text, "x base"), end_of(text, " 6.4e-4"));
}

static void each_workload_is_a_block(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cpu_scalar", "hot"), 1),
                               timed(row("matmul", "square-128", "cpu_scalar", "hot"), 1),
                               timed(row("grayscale", "thumb", "cpu_scalar", "hot"), 1)};
    char text[TEXT_MAX];
    write_table(results, 3, false, text);
    assert_non_null(strstr(text, "\nmatmul/mnist  50000x784x10, 158.8 MB, 784.0 Mflop\n  input: mnist-t10k"));
    assert_non_null(strstr(text, "\nmatmul/square-128  128x128x128, 196.6 kB, 4.194 Mflop\n  input: random\n"));
    assert_non_null(strstr(text, "\ngrayscale/thumb  150x216, 129.6 kB\n  input: random\n"));
}

/* Which are measured first, but are the ladder's end. */
static void libraries_close_a_block(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cublas", "hot"), 1),
                               timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1)};
    char text[TEXT_MAX];
    write_table(results, 2, false, text);
    assert_true(strstr(text, "  cublas ") > strstr(text, "  cuda_tiled "));
}

static void the_end_counts_the_rows(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cpu_scalar", "hot"), 1),
                               wrong(row("matmul", "mnist", "cuda_naive", "hot"), "at size 1x28x63: a race"),
                               failed(row("matmul", "mnist", "cuda_split", "hot"), "not run"),
                               skipped(row("matmul", "mnist", "cuda_tiled", "hot"), "too large"),
                               skipped(row("matmul", "mnist", "cublas", "hot"), "no GPU"),
                               skipped(row("matmul", "mnist", "cublas", "cold"), "no GPU")};
    char text[TEXT_MAX];
    write_table(results, 6, false, text);
    assert_true(ends_with(text, "\n6 rows: 1 measured and verified, 1 failed, 3 skipped, 1 wrong\n"
                                "  2 skipped: no GPU\n  1 skipped: too large\n"));
    write_table(results, 1, false, text);
    assert_true(ends_with(text, "\n1 row: 1 measured and verified, 0 wrong\n"));
}

static void no_results_are_no_table(void **state)
{
    (void)state;
    char text[TEXT_MAX];
    write_table(NULL, 0, true, text);
    assert_string_equal(text, "");
}

static void colours_change_nothing_but_colours(void **state)
{
    (void)state;
    struct result results[SAMPLE_RESULTS];
    size_t count = make_results(results);
    char plain[TEXT_MAX], colored[TEXT_MAX];
    write_table(results, count, false, plain);
    write_table(results, count, true, colored);
    assert_null(strchr(plain, '\033'));
    assert_non_null(strchr(colored, '\033'));
    char *to = colored;
    for (const char *from = colored; *from;) {
        if (*from == '\033')
            from = strchr(from, 'm') + 1;
        else
            *to++ = *from++;
    }
    *to = '\0';
    assert_string_equal(colored, plain);
}

static void no_colour_reaches_over_the_end_of_a_line(void **state)
{
    (void)state;
    struct result results[SAMPLE_RESULTS];
    char text[TEXT_MAX];
    write_table(results, make_results(results), true, text);
    size_t colours = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        bool is_on = false;
        for (const char *at = line; *at != '\n'; at++) {
            if (*at != '\033')
                continue;
            is_on = strncmp(at, "\033[0m", 4) != 0;
            colours += is_on;
        }
        assert_false(is_on);
    }
    assert_int_equal(colours, 4 /* headings */ + 4 /* best rows */ + 1 /* failed */);
}

#define test(function) cmocka_unit_test_setup(function, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(the_table_is_golden),
        test(several_rounds_are_in_the_heading),
        test(columns_stand_below_their_headings),
        test(no_line_is_wider_than_80_columns),
        test(tiny_figures_keep_to_their_columns),
        test(each_workload_is_a_block),
        test(libraries_close_a_block),
        test(the_end_counts_the_rows),
        test(no_results_are_no_table),
        test(colours_change_nothing_but_colours),
        test(no_colour_reaches_over_the_end_of_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
