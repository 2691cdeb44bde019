/* The tables for people, on the console and as Markdown: golden files, and what holds of each of their lines. */
#include "bench/report/legend.h"
#include "bench/report/report_text.h"
#include "bench/report/reporter.h"
#include "sample_results.h"
#include "tests/unit.h"

static char text[TEXT_MAX];

static const char *console(const struct result *results, size_t count, bool has_color)
{
    const struct result_list rows = {(struct result *)results, count};
    PRINT_TO(text, to, report_console(&rows, to, has_color));
    return text;
}

static const char *markdown(const struct result *results, size_t count)
{
    const struct result_list rows = {(struct result *)results, count};
    PRINT_TO(text, to, report_markdown(&rows, to));
    return text;
}

/* A row of matmul/mnist that takes so many seconds. */
static struct result taking(const char *variant, const char *mode, double seconds)
{
    return timed(row("matmul", "mnist", variant, mode), seconds);
}

/* The text has a line that is this, or begins with this and a comma. */
static void assert_line(const char *line)
{
    size_t length = strlen(line);
    bool is_there = false;
    for (const char *at = strstr(text, line); at; at = strstr(at + 1, line))
        is_there = is_there || ((at == text || at[-1] == '\n') && (at[length] == '\n' || at[length] == ','));
    if (!is_there)
        fail_msg("no line '%s' in\n%s", line, text);
}

/* The words of the table's line of the variant in the mode; the unit of the median is one, too. */
enum word { SPREAD = 4, RATE, CEILING, OVER_BASELINE, OVER_LIBRARY, OVER_CPU, WORDS };
static const char *word_of(const char *variant, const char *mode, enum word word)
{
    static char words[WORDS][32];
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        memset(words, 0, sizeof words);
        sscanf(line, " %31s %31s %31s %31s %31s %31s %31s %31s %31s %31s", words[0], words[1], words[2], words[3],
               words[4], words[5], words[6], words[7], words[8], words[9]);
        if (strcmp(words[0], variant) == 0 && strcmp(words[1], mode) == 0)
            return words[word];
    }
    fail_msg("no line for %s %s in\n%s", variant, mode, text);
    return NULL;
}

TEST(the_table_is_golden)
{
    struct result results[SAMPLE_RESULTS];
    assert_is_golden("table.txt", console(results, make_results(results), false));
    assert_string_equal(console(NULL, 0, true), "");
}

/* Where the first `word` of the text ends in its line. */
static size_t end_of(const char *word)
{
    const char *at = strstr(text, word), *start = at;
    if (!at)
        fail_msg("no '%s' in\n%s", word, text);
    while (start > text && start[-1] != '\n')
        start--;
    return (size_t)(at - start) + strlen(word);
}

TEST(columns_stand_below_their_headings_and_lines_fit)
{
    static const char *const below[][2] = {{" median", "1.250 s"}, {" median", "500.0 ms"}, {"GFLOP/s", " 1.57"},
                                           {"GFLOP/s", " 5.7e-4"}, {"ceil%", " 42"},        {"x base", " 2.50"},
                                           {"x base", " 1.6e-4"},  {"x CPU", " 2.00"}};
    struct result results[SAMPLE_RESULTS + 4];
    size_t count = make_results(&results[4]) + 4;
    results[0] = taking("cpu_scalar", "hot", 1.25);
    results[1] = taking("cpu_auto", "hot", 1);
    results[2] = taking("cuda_tiled", "e2e_pageable", 0.5);
    results[3] = taking("cuda_a_name_of_more_letters_than_there_is_room_for", "graph", 8000);
    results[3].gflops = 0.00057;
    console(results, 4, false);
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++)
        assert_int_equal(end_of(below[i][0]), end_of(below[i][1]));
    console(results, count, false);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_in_range(strcspn(line, "\n"), 0, 80);
    assert_non_null(strstr(text, "  cuda_a_name_of_mor graph "));
    assert_non_null(strstr(text, " e2e_page "));
}

TEST(the_end_counts_the_rows)
{
    const struct result results[] = {taking("cpu_scalar", "hot", 1),
                                     wrong(row("matmul", "mnist", "cuda_naive", "hot"), "at size 1x28x63: a race"),
                                     failed(row("matmul", "mnist", "cuda_split", "hot"), "not run"),
                                     skipped(row("matmul", "mnist", "cuda_tiled", "hot"), "too large"),
                                     skipped(row("matmul", "mnist", "cublas", "hot"), "no GPU"),
                                     skipped(row("matmul", "mnist", "cublas", "cold"), "no GPU")};
    console(results, 6, false);
    assert_string_equal(strstr(text, "\n6 rows"), "\n6 rows: 1 measured and verified, 1 failed, 3 skipped, 1 wrong\n");
    assert_string_equal(strstr(console(results, 1, false), "\n1 row"), "\n1 row: 1 measured and verified, 0 wrong\n");
}

/* And none reaches over the end of a line. */
TEST(colours_change_nothing_but_colours)
{
    static char colored[TEXT_MAX];
    struct result results[SAMPLE_RESULTS];
    size_t count = make_results(results), colours = 0;
    char *to = colored;
    bool is_on = false;
    for (const char *from = console(results, count, true); *from;) {
        assert_false(is_on && *from == '\n');
        if (*from != '\033') {
            *to++ = *from++;
            continue;
        }
        is_on = strncmp(from, "\033[0m", 4) != 0;
        colours += is_on;
        from = strchr(from, 'm') + 1;
    }
    *to = '\0';
    assert_int_equal(colours, 4 /* headings */ + 4 /* best rows */ + 1 /* failed */);
    assert_string_equal(colored, console(results, count, false));
}

/* And --help explains all of them. */
TEST(a_legend_of_three_lines_explains_the_words_of_the_tables)
{
    static const char *const explained[] = {"+-:", "cold:", "ceil%:", "?:", "~:", "far-unverified:", "RMS u:"};
    static const size_t first[] = {0, 0, 6}, end[] = {3, 6, 7};
    static char help[TEXT_MAX];
    struct result rows[] = {taking("cuda_tiled", "cold", 2), taking("cuda_tiled", "hot", 1), taking("cublas", "hot", 3),
                            row("grayscale", "puppy", "cpu_tuned", "verify")};
    rows[3].rms_err = 0.5;
    PRINT_TO(help, to, legend_print_all(to));
    for (size_t i = 0; i < LENGTH(first); i++) {
        rows[0].statistics.ci_high = i ? NAN : rows[0].statistics.ci_high;
        strcpy(rows[1].conditions.marks, i ? "preempted time-stolen far-unverified other-work throttled" : "");
        console(i == 2 ? &rows[3] : rows, i == 2 ? 1 : 3, false);
        size_t lines = 1;
        char *legend = strstr(strstr(text + 1, "\n\n"), "  "), *blank = strstr(legend, "\n\n");
        *blank = '\0';
        for (char *c = legend; *c; c++)
            lines += *c == '\n';
        assert_in_range(lines, 1, 3);
        for (size_t w = 0; w < LENGTH(explained); w++) {
            char word[32];
            assert_int_equal(strstr(legend, explained[w]) != NULL, w >= first[i] && w < end[i]);
            snprintf(word, sizeof word, "\n  %.*s: ", (int)strlen(explained[w]) - 1, explained[w]);
            assert_non_null(strstr(help, word));
        }
        assert_non_null(strstr(legend, "more: --help"));
    }
}

/* However many workloads they are of; who was skipped everywhere has no heading. */
TEST(a_reason_for_skipping_is_said_once)
{
    static const char *const workloads[] = {"mnist", "square-128"};
    struct result results[21];
    size_t count = 0;
    for (size_t w = 0; w < 2; w++)
        for (char name[] = "cuda_0"; name[5] <= '9'; name[5]++)
            results[count++] = skipped(row("matmul", workloads[w], name, "hot"), "no GPU");
    const char *said = console(results, count, false);
    assert_null(strstr(said, "50000x784x10"));
    results[count++] = taking("cpu_scalar", "hot", 0.4);
    said = console(results, count, false);
    assert_non_null(strstr(said, "  skipped cuda_0, cuda_1, cuda_2, cuda_3, cuda_4, cuda_5, cuda_6, cuda_7 and 2\n"
                                 "    more (20 rows of 2 workloads): no GPU\n"));
    assert_null(strstr(strstr(said, "skipped") + 1, "skipped cuda"));
}

/* What makes a row unfair, the line that says so, and whether its time is one at all. */
TEST(rows_that_are_not_fair_are_named_and_never_best)
{
    static const char *const says[] = {"  tf32: cuda_naive hot", "  runs_as=cuda_tiled: cuda_naive hot",
                                       "  slowed: cuda_naive hot", "      wrong answer: C[0",
                                       "  skipped cuda_naive on matmul/mnist: no GPU"};
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++) {
        struct result results[] = {taking("cpu_scalar", "hot", 0.4), taking("cuda_tiled", "hot", 0.2),
                                   taking("cuda_naive", "hot", 0.1)};
        struct result *r = &results[2];
        if (i == 0)
            r->unfair = "tf32";
        else if (i == 1)
            strcpy(r->runs_as, "cuda_tiled");
        else if (i == 2)
            r->slowdown_pct = 50, strcpy(r->conditions.marks, "slowed");
        else
            *r = i == 3 ? wrong(row("matmul", "mnist", "cuda_naive", "hot"), "wrong answer: C[0, 0] is nan")
                        : skipped(row("matmul", "mnist", "cuda_naive", "hot"), "no GPU");
        console(results, 3, false);
        assert_line("* hot: cuda_tiled");
        assert_line(says[i]);
        if (i < 3)
            assert_string_equal(word_of("cuda_naive", "hot", OVER_CPU), i == 2 ? "-" : "4.00");
        if (i == 3)
            assert_string_equal(word_of("cuda_naive", "hot", 2), "WRONG:");
    }
    struct result verified = row("matmul", "mnist", "cuda_naive", "verify");
    strcpy(verified.runs_as, "cuda_tiled");
    assert_non_null(strstr(console(&verified, 1, false), " correct = cuda_tiled\n"));
}

/* Of each backend and mode. */
TEST(the_heading_names_the_fastest_libraries)
{
    struct result results[] = {taking("openblas", "cold", 2), taking("openblas", "hot", 2), taking("blas", "cold", 1),
                               taking("blas", "hot", 1), taking("cublas", "hot", 0.1)};
    console(results, LENGTH(results), false);
    assert_non_null(strstr(text, ", lib: blas or cublas,"));
    results[1].statistics.median = 0.5;
    console(results, LENGTH(results), false);
    assert_non_null(strstr(text, ", lib: openblas or blas or cublas,"));
}

TEST(marks_and_ties_stand_below_with_the_rows_that_have_them)
{
    struct result results[] = {taking("cublas_tf32", "hot", 1e-6), taking("cuda_tiled", "cold", 1e-6),
                               taking("cuda_tiled", "hot", 1e-6), taking("cuda_naive", "hot", 1.01e-6),
                               taking("cublas", "hot", 1.5e-6)};
    results[0].launch_bound = results[2].launch_bound = true;
    results[0].unfair = "tf32";
    strcpy(results[1].conditions.marks, "throttled mps");
    strcpy(results[2].conditions.marks, "mps");
    console(results, 5, false);
    assert_line("  launch-bound: cublas_tf32 hot, cuda_tiled hot");
    assert_line("  throttled: cuda_tiled cold");
    assert_line("  mps: cuda_tiled cold hot");
    assert_null(strstr(strstr(text, "\n  mps:") + 1, "\n  mps:"));
    assert_line("* hot: cuda_tiled, 1.50 x cublas");
    assert_line("= hot: as fast, as far as can be told: cuda_naive");
}

/* With the digits that are known: without an interval, or with a wide one, on either side. */
TEST(a_ratio_of_times_that_are_not_known_well_is_approximate)
{
    for (size_t i = 0; i < 4; i++) {
        struct result rows[] = {taking("cpu_scalar", "hot", 2.41), taking("cuda_tiled", "hot", 1)};
        struct statistics *of = &rows[i % 2].statistics;
        if (i < 2)
            of->ci_low = of->ci_high = NAN;
        else
            of->ci_high = 1.51 * of->ci_low;
        console(rows, 2, false);
        assert_string_equal(word_of("cuda_tiled", "hot", OVER_BASELINE), "~2.4");
        assert_string_equal(word_of("cuda_tiled", "hot", OVER_CPU), "~2.4");
        assert_line(i % 2 ? "  no-interval: cuda_tiled hot" : "  no-interval: cpu_scalar hot");
        assert_string_equal(word_of("cuda_tiled", "hot", SPREAD), i == 1 ? "?" : i == 3 ? "24.7%" : "3.0%");
    }
}

static struct figure approximate_text(double value)
{
    return ratio_text((struct ratio){value, NAN, NAN, true});
}

/* Values, and behind each what is said of it. */
TEST(figures_keep_their_first_digits)
{
    static const struct {
        struct figure (*function)(double value);
        const char *figures;
    } tables[] = {
        {time_text,
         "1e-9 1.000 ns|812e-9 812.0 ns|0.99994e-6 999.9 ns|0.99996e-6 1.000 us|4.2134e-6 4.213 us|42.134e-6 "
         "42.13 us|0.99996e-3 1.000 ms|13.37e-3 13.37 ms|0.9996 999.6 ms|0.99996 1.000 s|12.75 12.75 s|"
         "1234.5 1234.5 s"},
        {bytes_text, "12 12.00 B|999.96e6 1.000 GB|1.5e12 1.500 TB|1.5e15 1.500 PB|4611686018427387904 4.612 EB|1e21 "
                     "1000.0 EB"},
        {flops_text, "999 999.0 flop|1e3 1.000 kflop|2.5e12 2.500 Tflop|2.5e15 2.500 Pflop|1e19 10.00 Eflop|1e22 "
                     "10000.0 Eflop"},
        {percent_text, "0.04 0.0|4.26 4.3|9.94 9.9|9.96 10|42.6 43|103 103|nan -"},
        {number_text, "1.234e-5 1.2e-5|0.001234 0.0012|0.0493 0.049|0.0994 0.099|0.0996 0.10|0.5 0.50|9.994 9.99|9.996 "
                      "10.0|99.94 99.9|99.96 100|123153.4 123153|nan -"},
        {approximate_text, "0.000123 ~1e-4|0.0512 ~5e-2|2.41 ~2.4|24.4 ~24|123.4 ~123|nan -"},
    };
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        char figures[512], *rest, *said;
        snprintf(figures, sizeof figures, "%s", tables[t].figures);
        for (char *figure = strtok_r(figures, "|", &rest); figure; figure = strtok_r(NULL, "|", &rest)) {
            double value = strtod(figure, &said);
            assert_string_equal(tables[t].function(value).text, said + 1);
        }
    }
}

TEST(markdown_has_a_table_per_workload)
{
    const struct result results[] = {taking("cuda_tiled", "hot", 1e-6), taking("cuda_naive", "hot", 1.01e-6),
                                     taking("cublas", "hot", 2e-6),
                                     wrong(row("grayscale", "thumb", "cuda_1d", "hot"), "wrong answer")};
    static const char *const parts[] = {"\n### matmul/mnist\n\n50000x784x10, ",
                                        "\n### grayscale/thumb\n\n150x216, ",
                                        "\n| cuda_tiled | hot | 1.000 us | 3.0% |",
                                        "| 2.00 | - | **best** |\n",
                                        " tied with the best |\n",
                                        "| **WRONG**: wrong answer |\n"};
    markdown(results, 4);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_non_null(strstr(text, parts[i]));
}

/* So that every line of a table is one: as many bars as its heading has. */
TEST(every_row_of_markdown_has_a_cell_per_column)
{
    struct result results[SAMPLE_RESULTS];
    size_t count = make_results(results);
    strcpy(results[0].reason, "a | b\n<script>");
    results[0].status = STATUS_SKIPPED;
    markdown(results, count);
    assert_null(strstr(text, "<script>"));
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        int bars = 0;
        for (const char *c = line; *c && *c != '\n'; c++)
            bars += *c == '|';
        assert_true(line[0] != '|' || bars == 12);
    }
}
