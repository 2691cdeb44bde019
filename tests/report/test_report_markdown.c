/* The table as Markdown. */
#include "bench/report/reporter.h"
#include "sample_results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

static const char file[] = "table.md";

static const char *write_markdown(const struct result *results, size_t count)
{
    static char text[TEXT_MAX];
    struct error error;
    FILE *to = fopen(file, "w");
    assert_non_null(to);
    const struct result_list rows = {(struct result *)results, count, count};
    assert_true(report_markdown(&rows, to, &error));
    fclose(to);
    read_file(file, text);
    return text;
}

static void each_workload_is_a_table(void **state)
{
    (void)state;
    const struct result results[] = {timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1e-6),
                                     timed(row("matmul", "mnist", "cuda_naive", "hot"), 1.01e-6),
                                     timed(row("matmul", "mnist", "cublas", "hot"), 2e-6),
                                     wrong(row("grayscale", "thumb", "cuda_1d", "hot"), "wrong answer")};
    const char *text = write_markdown(results, 4);
    assert_non_null(strstr(text, "\n### matmul/mnist\n\n50000x784x10, "));
    assert_non_null(strstr(text, "\n### grayscale/thumb\n\n150x216, "));
    assert_non_null(strstr(text, "\n| cuda_tiled | hot | 1.000 us | 3.0% |"));
    assert_non_null(strstr(text, "| 2.00 | - | **best** |\n"));
    assert_non_null(strstr(text, " tied with the best |\n"));
    assert_non_null(strstr(text, "| **WRONG**: wrong answer |\n"));
}

/* So that every line of a table is one: as many bars as its heading has. */
static void every_row_has_a_cell_per_column(void **state)
{
    (void)state;
    struct result results[SAMPLE_RESULTS];
    size_t count = make_results(results);
    strcpy(results[0].reason, "a | b\n<script>");
    results[0].status = STATUS_SKIPPED;
    const char *text = write_markdown(results, count);
    assert_null(strstr(text, "<script>"));
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        int bars = 0;
        for (const char *c = line; *c && *c != '\n'; c++)
            bars += *c == '|';
        assert_true(line[0] != '|' || bars == 12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_workload_is_a_table),
        cmocka_unit_test(every_row_has_a_cell_per_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
