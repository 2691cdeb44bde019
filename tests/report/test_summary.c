/* What --summarize says of a file. */
#include "bench/base/exit_status.h"
#include "bench/report/reporter.h"
#include "bench/report/summary.h"
#include "sample_results.h"
#include "tests/select/selected_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <jansson.h>

#include <math.h>
#include <string.h>

static const char csv_file[] = "results.csv", json_file[] = "summary.json";
static const struct rung_source sources[] = {{"matmul/cuda_tiled", "kernels/matmul/tiled.cu"}, {NULL, NULL}};
static const struct summary_table table = {&real_table, sources};
static struct error error;

static int summarize(const struct result *results, size_t count, const char *more)
{
    FILE *csv = fopen(csv_file, "w"), *json = fopen(json_file, "w");
    assert_non_null(csv);
    assert_non_null(json);
    fputs(report_csv_header(), csv);
    for (size_t i = 0; i < count; i++)
        report_csv_print(csv, &results[i]);
    fputs(more, csv);
    fclose(csv);
    int status = summary_print(csv_file, &table, json, &error);
    fclose(json);
    return status;
}

static json_t *load(void)
{
    json_error_t reason;
    json_t *document = json_load_file(json_file, 0, &reason);
    assert_non_null(document);
    return document;
}

static const json_t *find(const json_t *document, const char *name)
{
    size_t i;
    const json_t *row;
    json_array_foreach(json_object_get(document, "rows"), i, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "name")), name) == 0)
            return row;
    }
    fail_msg("no row %s", name);
    return NULL;
}

static double number(const json_t *of, const char *key)
{
    const json_t *value = json_object_get(of, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static const char *text(const json_t *of, const char *key)
{
    const char *value = json_string_value(json_object_get(of, key));
    return value ? value : "";
}

static void assert_near(double value, double expected)
{
    assert_true(fabs(value / expected - 1) < 1e-9);
}

static void rows_are_merged_over_rounds_and_ordered_by_the_table(void **state)
{
    (void)state;
    const double medians_s[] = {2.4e-3, 2e-3, 2.2e-3};
    struct result results[6];
    for (int i = 0; i < 3; i++) {
        results[2 * i] = in_round(timed(row("matmul", "mnist", "cublas", "hot"), 10 * medians_s[i]), i);
        results[2 * i + 1] = in_round(timed(row("matmul", "mnist", "cuda_tiled", "hot"), medians_s[i]), i);
    }
    assert_int_equal(summarize(results, 6, ""), EXIT_RIGHT);
    json_t *document = load();
    const json_t *tiled = json_array_get(json_object_get(document, "rows"), 0);
    assert_int_equal(json_array_size(json_object_get(document, "rows")), 2);
    assert_string_equal(text(tiled, "variant"), "cuda_tiled");
    assert_near(number(document, "rounds"), 3);
    assert_near(number(tiled, "time_median_s"), 2.2e-3);
    assert_near(number(tiled, "low_s"), 2e-3);
    assert_near(number(tiled, "high_s"), 2.4e-3);
    assert_near(number(tiled, "over_library"), 10);
    assert_near(number(tiled, "over_library_low"), 20 / 2.4);
    assert_near(number(tiled, "over_library_high"), 12);
    assert_string_equal(text(tiled, "source"), "kernels/matmul/tiled.cu");
    assert_true(strlen(text(tiled, "summary")) > 0);
    assert_true(json_is_true(json_object_get(tiled, "best")));
    json_decref(document);
}

/* Of a program that had others. */
static void rungs_that_the_table_lacks_come_last_as_they_came(void **state)
{
    (void)state;
    static const char *const variants[] = {"zeta", "alpha", "cublas", "cuda_tiled"}, *const modes_of[] = {"cold",
                                                                                                          "hot"};
    struct result results[16];
    size_t count = 0;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 4; i++)
            for (int m = 0; m < 2; m++) /* in the second round the other way round */
                results[count++] =
                    in_round(timed(row("matmul", "mnist", variants[round ? 3 - i : i], modes_of[m]), 1e-3), round);
    assert_int_equal(summarize(results, count, ""), EXIT_RIGHT);
    json_t *document = load();
    const json_t *rows = json_object_get(document, "rows");
    assert_int_equal(json_array_size(rows), 8);
    static const char *const expected[] = {"cuda_tiled", "cublas", "zeta", "alpha"};
    double before = -1;
    for (size_t i = 0; i < 8; i++) {
        const json_t *shown = json_array_get(rows, i);
        assert_string_equal(text(shown, "variant"), expected[i % 4]);
        before = i % 4 == 0 ? -1 : before;
        assert_true(number(shown, "order") >= before); /* who sorts by it keeps them so */
        before = number(shown, "order");
    }
    json_decref(document);
}

static void a_workload_has_a_headline_per_mode(void **state)
{
    (void)state;
    const struct result results[] = {
        timed(row("matmul", "mnist", "cuda_tiled", "cold"), 2e-3),
        timed(row("matmul", "mnist", "cublas", "cold"), 3e-3),
        timed(row("matmul", "mnist", "cuda_tiled", "hot"), 2e-3),
        timed(row("matmul", "mnist", "cublas", "hot"), 1e-3),
    };
    assert_int_equal(summarize(results, 4, ""), EXIT_RIGHT);
    json_t *document = load();
    const json_t *workload = json_array_get(json_object_get(document, "workloads"), 0);
    const json_t *headlines = json_object_get(workload, "headlines");
    assert_int_equal(json_array_size(headlines), 2);
    assert_string_equal(text(json_array_get(headlines, 0), "mode"), "cold");
    assert_string_equal(text(json_array_get(headlines, 0), "best"), "cuda_tiled");
    assert_near(number(json_array_get(headlines, 0), "over_library"), 1.5);
    assert_string_equal(text(json_array_get(headlines, 1), "best"), "cublas");
    json_decref(document);
}

static void what_was_wrong_is_counted_and_keeps_its_row(void **state)
{
    (void)state;
    const struct result results[] = {
        timed(row("matmul", "mnist", "cublas", "cold"), 3e-3),
        wrong(row("matmul", "mnist", "cuda_tiled", "cold"), "wrong answer at [0]"),
        failed(row("matmul", "mnist", "cuda_naive", "cold"), "not run"),
        skipped(row("matmul", "mnist", "cuda_split", "cold"), "no GPU"),
    };
    assert_int_equal(summarize(results, 4, ""), EXIT_RIGHT);
    json_t *document = load();
    const json_t *totals = json_object_get(document, "totals");
    assert_true(number(totals, "rows") == 4 && number(totals, "correct") == 1 && number(totals, "wrong") == 1);
    assert_true(number(totals, "failed") == 2 && number(totals, "skipped") == 1);
    assert_true(json_is_true(json_object_get(find(document, "matmul/mnist/cuda_tiled/cold"), "wrong")));
    assert_null(json_object_get(find(document, "matmul/mnist/cuda_naive/cold"), "wrong"));
    assert_string_equal(text(find(document, "matmul/mnist/cuda_naive/cold"), "reason"), "not run");
    json_decref(document);
}

static void rows_of_one_size_have_one_ceiling(void **state)
{
    (void)state;
    struct result results[] = {
        timed(row("matmul", "mnist", "cublas", "cold"), 4e-3),
        timed(row("matmul", "mnist", "cuda_tiled", "cold"), 5e-3),
        timed(row("matmul", "mnist", "cuda_naive", "cold"), 6e-3),
    };
    const double floors_s[] = {2e-3, 1e-3, 3e-3};
    for (size_t i = 0; i < 3; i++) {
        results[i].floor_s = floors_s[i];
        strcpy(results[i].ceiling, i == 2 ? "fma" : "read");
    }
    assert_int_equal(summarize(results, 3, ""), EXIT_RIGHT);
    json_t *document = load();
    assert_near(number(find(document, "matmul/mnist/cublas/cold"), "ceiling_pct"), 25);
    assert_near(number(find(document, "matmul/mnist/cuda_tiled/cold"), "ceiling_pct"), 20);
    assert_near(number(find(document, "matmul/mnist/cuda_naive/cold"), "ceiling_pct"), 50);
    assert_int_equal(json_array_size(json_object_get(document, "ceilings")), 2);
    json_decref(document);
}

static void a_crossover_has_its_sizes_and_a_sentence(void **state)
{
    (void)state;
    static const char *const sizes[] = {"square-128", "mnist", "square-8192"};
    struct result results[6];
    for (size_t i = 0; i < 3; i++) {
        results[2 * i] = timed(row("matmul", sizes[i], "cpu_tuned", "hot"), 1e-3);
        results[2 * i + 1] = timed(row("matmul", sizes[i], "cublas", "hot"), i == 0 ? 2e-3 : 0.5e-3);
        strcpy(results[2 * i].shape, "2x3xrow");
        strcpy(results[2 * i + 1].shape, "2x3xrow");
    }
    assert_int_equal(summarize(results, 6, ""), EXIT_RIGHT);
    json_t *document = load();
    const json_t *crossover = json_array_get(json_object_get(document, "crossovers"), 0);
    const json_t *points = json_object_get(crossover, "points"), *first = json_array_get(points, 0);
    assert_int_equal(json_array_size(points), 3);
    assert_string_equal(text(crossover, "op"), "matmul");
    assert_string_equal(text(crossover, "kind"), "row");
    assert_string_equal(text(crossover, "device_mode"), "hot");
    assert_string_equal(text(crossover, "device_backend"), "cuda");
    assert_string_equal(text(crossover, "host_backend"), "cpu");
    assert_non_null(strstr(text(crossover, "text"), "between square-128"));
    assert_string_equal(text(first, "workload"), "square-128");
    assert_string_equal(text(first, "device_rung"), "cublas");
    assert_string_equal(text(first, "host_rung"), "cpu_tuned");
    assert_near(number(first, "gain"), 0.5);
    assert_near(number(first, "bytes"), 196608);
    json_decref(document);
}

static void crossovers_have_a_line_for_each_size(void **state)
{
    (void)state;
    static const char *const sizes[] = {"square-128", "mnist", "square-8192"};
    struct result results[6];
    char *text = NULL;
    size_t size;
    for (size_t i = 0; i < 3; i++) {
        results[2 * i] = timed(row("matmul", sizes[i], "cpu_tuned", "hot"), 1e-3);
        results[2 * i + 1] = timed(row("matmul", sizes[i], "cublas", "hot"), 0.5e-3);
    }
    for (size_t count = 6; count >= 4; count -= 2) { /* two sizes show no crossover */
        assert_int_equal(summarize(results, count, ""), EXIT_RIGHT);
        FILE *csv = open_memstream(&text, &size);
        assert_int_equal(summary_print_crossovers(csv_file, &table, csv, &error),
                         count == 6 ? EXIT_RIGHT : EXIT_ALL_SKIPPED);
        fclose(csv);
        assert_int_equal(strncmp(text, "op,kind,what,workload,bytes,flops,device_rung,", 46), 0);
        const char *line = strchr(text, '\n') + 1;
        if (count == 6)
            assert_string_equal(
                strtok((char *)line, "\n"),
                "matmul,,the kernel alone,square-128,196608,4194304,cublas,hot,0.0005,cpu_tuned,hot,0.001,2");
        else
            assert_string_equal(line, "");
        free(text);
    }
}

static void slowed_rows_are_counted_and_left_out(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cublas", "cold"), 4e-3),
                               timed(row("matmul", "mnist", "cuda_tiled", "cold"), 1e-3)};
    results[1].slowdown_pct = 50;
    assert_int_equal(summarize(results, 2, ""), EXIT_RIGHT);
    json_t *document = load();
    assert_true(number(document, "slowed_rows") == 1);
    assert_int_equal(json_array_size(json_object_get(document, "rows")), 1);
    json_decref(document);
}

static void without_a_time_the_status_says_so(void **state)
{
    (void)state;
    struct result none = skipped(row("matmul", "mnist", "cublas", "cold"), "no GPU");
    assert_int_equal(summarize(&none, 1, ""), EXIT_ALL_SKIPPED);
    assert_int_equal(summarize(NULL, 0, ""), EXIT_ALL_SKIPPED);
}

static void times_that_cannot_be_are_refused(void **state)
{
    (void)state;
    const double impossible_s[] = {1e308, 1e-320, 1e7, -1};
    for (size_t i = 0; i < sizeof impossible_s / sizeof impossible_s[0]; i++) {
        struct result result = timed(row("matmul", "mnist", "cublas", "cold"), 1);
        result.statistics.median = impossible_s[i];
        assert_int_equal(summarize(&result, 1, ""), EXIT_USAGE);
        assert_non_null(strstr(error.text, "line 2: time_median_s"));
    }
    assert_int_equal(summarize(NULL, 0, "rubbish\n"), EXIT_USAGE);
    assert_int_equal(summary_print("absent.csv", &table, stdout, &error), EXIT_USAGE);
}

static void what_cannot_be_merged_is_refused(void **state)
{
    (void)state;
    struct device_info other = *timed(row("matmul", "mnist", "cublas", "hot"), 1).device;
    struct result results[] = {in_round(timed(row("matmul", "mnist", "cublas", "hot"), 1), 0),
                               in_round(timed(row("matmul", "mnist", "cublas", "hot"), 2), 0)};
    assert_int_equal(summarize(results, 2, ""), EXIT_USAGE);
    assert_non_null(strstr(error.text, "round 0 of matmul/mnist/cublas/hot is there twice"));
    results[1] = in_round(results[1], 1);
    assert_int_equal(summarize(results, 2, ""), EXIT_RIGHT);
    strcpy(other.uuid, "GPU-other");
    results[1].device = &other;
    assert_int_equal(summarize(results, 2, ""), EXIT_USAGE);
    assert_non_null(strstr(error.text, "two machines or devices"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_merged_over_rounds_and_ordered_by_the_table),
        cmocka_unit_test(rungs_that_the_table_lacks_come_last_as_they_came),
        cmocka_unit_test(a_workload_has_a_headline_per_mode),
        cmocka_unit_test(what_was_wrong_is_counted_and_keeps_its_row),
        cmocka_unit_test(rows_of_one_size_have_one_ceiling),
        cmocka_unit_test(a_crossover_has_its_sizes_and_a_sentence),
        cmocka_unit_test(crossovers_have_a_line_for_each_size),
        cmocka_unit_test(slowed_rows_are_counted_and_left_out),
        cmocka_unit_test(without_a_time_the_status_says_so),
        cmocka_unit_test(times_that_cannot_be_are_refused),
        cmocka_unit_test(what_cannot_be_merged_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
