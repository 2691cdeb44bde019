/* What --summarize says of a file. */
#include "bench/base/error.h"
#include "bench/report/reporter.h"
#include "bench/report/summary.h"
#include "sample_results.h"
#include "tests/select/selected_rows.h"
#include "tests/unit.h"

#include <jansson.h>

static const char csv_file[] = "results.csv", json_file[] = "summary.json";
static const struct rung_source sources[] = {{"matmul/cuda_tiled", "kernels/matmul/tiled.cu"}, {NULL, NULL}};
static const struct summary_table table = {&real_table, sources};
static struct error error;

static json_t *document; /* of the last summary */

static int forget(void **state)
{
    json_decref(document);
    document = NULL;
    return 0;
}

static int summarize(const struct result *results, size_t count, const char *more)
{
    FILE *csv = fopen(csv_file, "w"), *json = fopen(json_file, "w");
    assert_true(csv && json);
    fputs(report_csv_header, csv);
    for (size_t i = 0; i < count; i++)
        report_csv_print(csv, &results[i]);
    fputs(more, csv);
    fclose(csv);
    int status = summary_print(csv_file, &table, json, &error);
    fclose(json);
    return status;
}

static void summarize_well(const struct result *results, size_t count)
{
    forget(NULL);
    if (summarize(results, count, "") != EXIT_RIGHT)
        fail_msg("%s", error.text);
    document = json_load_file(json_file, 0, NULL);
    assert_non_null(document);
}

/* "headlines/0/mode": members and places of a list. */
static const json_t *at(const json_t *of, const char *path)
{
    char text[128], *rest;
    snprintf(text, sizeof text, "%s", path);
    for (char *key = strtok_r(text, "/", &rest); key; key = strtok_r(NULL, "/", &rest))
        of = json_is_array(of) ? json_array_get(of, strtoul(key, NULL, 10)) : json_object_get(of, key);
    return of;
}

static size_t count(const char *path)
{
    return json_array_size(at(document, path));
}

static double number(const char *path)
{
    const json_t *value = at(document, path);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void assert_numbers(const char *of, const char *const *keys, const double *expected, size_t keys_count)
{
    for (size_t i = 0; i < keys_count; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", of, keys[i]);
        if (!(fabs(number(path) / expected[i] - 1) < 1e-9))
            fail_msg("%s is %.17g, expected %.17g", path, number(path), expected[i]);
    }
}

static void assert_text(const char *path, const char *expected)
{
    const char *value = json_string_value(at(document, path));
    assert_string_equal(value ? value : "", expected);
}

AROUND_EACH_TEST(NULL, forget)

TEST(rows_are_merged_over_rounds_and_ordered_by_the_table)
{
    static const char *const keys[] = {"time_median_s",    "low_s", "high_s", "over_library", "over_library_low",
                                       "over_library_high"};
    static const double expected[] = {2.2e-3, 2e-3, 2.4e-3, 10, 20 / 2.4, 12};
    struct result results[6];
    for (int i = 0; i < 3; i++) {
        const double median_s = (double[]){2.4e-3, 2e-3, 2.2e-3}[i];
        results[2 * i] = in_round(timed(row("matmul", "mnist", "cublas", "hot"), 10 * median_s), i);
        results[2 * i + 1] = in_round(timed(row("matmul", "mnist", "cuda_tiled", "hot"), median_s), i);
    }
    summarize_well(results, 6);
    assert_int_equal(count("rows"), 2);
    assert_true(number("rounds") == 3);
    assert_text("rows/0/variant", "cuda_tiled");
    assert_numbers("rows/0/", keys, expected, 6);
    assert_text("rows/0/source", "kernels/matmul/tiled.cu");
    assert_true(json_string_length(at(document, "rows/0/summary")) > 0);
    assert_true(json_is_true(at(document, "rows/0/best")));
}

/* Of a program that had others. */
TEST(rungs_that_the_table_lacks_come_last_as_they_came)
{
    static const char *const variants[] = {"zeta", "alpha", "cublas", "cuda_tiled"}, *const modes_of[] = {"cold",
                                                                                                          "hot"};
    static const char *const expected[] = {"cuda_tiled", "cublas", "zeta", "alpha"};
    struct result results[16];
    for (int i = 0; i < 16; i++) { /* in the second round the other way round */
        const char *variant = variants[i < 8 ? i / 2 : 7 - i / 2];
        results[i] = in_round(timed(row("matmul", "mnist", variant, modes_of[i % 2]), 1e-3), i / 8);
    }
    summarize_well(results, 16);
    assert_int_equal(count("rows"), 8);
    for (int i = 0; i < 8; i++) {
        char path[32];
        snprintf(path, sizeof path, "rows/%d/variant", i);
        assert_text(path, expected[i % 4]);
        double order[2];
        for (int k = 0; k < 2; k++) {
            snprintf(path, sizeof path, "rows/%d/order", i % 4 == 0 ? i : i - 1 + k);
            order[k] = number(path);
        }
        assert_true(order[0] <= order[1]); /* who sorts by it keeps them so */
    }
}

TEST(a_workload_has_a_headline_per_mode_and_the_best_row_its_rivals)
{
    const struct result results[] = {
        timed(row("matmul", "mnist", "cuda_tiled", "cold"), 2e-3),
        timed(row("matmul", "mnist", "cublas", "cold"), 3e-3),
        timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1.001e-3),
        timed(row("matmul", "mnist", "cublas", "hot"), 1e-3),
        timed(row("grayscale", "thumb", "cuda_1d", "hot"), 1e-3),
    };
    summarize_well(results, 5);
    assert_int_equal(count("workloads"), 2);
    assert_int_equal(count("workloads/0/headlines"), 2);
    assert_int_equal(count("workloads/1/headlines"), 1);
    assert_text("workloads/0/shape", "50000x784x10");
    assert_text("workloads/0/headlines/0/mode", "cold");
    assert_text("workloads/0/headlines/0/best", "cuda_tiled");
    assert_true(fabs(number("workloads/0/headlines/0/over_library") - 1.5) < 1e-9);
    assert_int_equal(count("workloads/0/headlines/0/tied"), 0);
    assert_text("workloads/0/headlines/1/best", "cublas");
    assert_int_equal(count("workloads/0/headlines/1/tied"), 1);
    assert_text("workloads/0/headlines/1/tied/0", "cuda_tiled");
    assert_int_equal(count("devices"), 1);
    assert_text("devices/0/device", sample_gpu.name);
    assert_int_equal(count("modes"), 2);
}

TEST(what_was_wrong_is_counted_and_keeps_its_row)
{
    struct result results[] = {
        timed(row("matmul", "mnist", "cublas", "cold"), 3e-3),
        wrong(row("matmul", "mnist", "cuda_tiled", "cold"), "wrong answer at [0]"),
        failed(row("matmul", "mnist", "cuda_naive", "cold"), "not run"),
        skipped(row("matmul", "mnist", "cuda_split", "cold"), "no GPU"),
        timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1e-3),
    };
    static const char *const keys[] = {"rows", "measured", "correct", "wrong", "failed", "skipped"};
    results[4].slowdown_pct = 50; /* which is left out */
    summarize_well(results, 5);
    assert_numbers("totals/", keys, (const double[]){4, 1, 1, 1, 2, 1}, 6);
    assert_true(number("slowed_rows") == 1);
    for (int i = 0; i < 4; i++) {
        char path[32];
        snprintf(path, sizeof path, "rows/%d/wrong", i);
        const json_t *variant = json_object_get(json_array_get(at(document, "rows"), (size_t)i), "variant");
        assert_int_equal(json_is_true(at(document, path)), strcmp(json_string_value(variant), "cuda_tiled") == 0);
    }
}

/* A device's arithmetic has one for all sizes. */
TEST(rows_of_one_size_have_one_ceiling)
{
    static const char *const keys[] = {"rows/0/ceiling_pct", "rows/1/ceiling_pct", "rows/2/ceiling_pct",
                                       "ceilings/0/per_s", "ceilings/1/per_s"};
    struct result results[] = {
        timed(row("matmul", "mnist", "cublas", "cold"), 4e-3),
        timed(row("matmul", "mnist", "cuda_tiled", "cold"), 5e-3),
        timed(row("matmul", "mnist", "cuda_naive", "cold"), 6e-3),
        timed(row("matmul", "square-128", "cuda_naive", "cold"), 6e-3),
    };
    for (size_t i = 0; i < 4; i++) {
        results[i].floor_s = (double[]){2e-3, 1e-3, 3e-3, 1e-6}[i];
        strcpy(results[i].ceiling, i >= 2 ? "fma" : "read");
    }
    summarize_well(results, 4);
    assert_text("rows/0/variant", "cuda_naive");
    assert_text("rows/1/variant", "cuda_tiled");
    assert_text("ceilings/0/kind", "read");
    assert_numbers("", keys, (const double[]){50, 20, 25, 158831360 / 1e-3, 4194304 / 1e-6}, 5);
    assert_int_equal(count("ceilings"), 2);
}

TEST(a_crossover_has_its_sizes_in_both_forms)
{
    static const char *const sizes[] = {"square-128", "mnist", "square-8192"};
    static const char *const texts[][2] = {{"op", "matmul"},
                                           {"kind", "row"},
                                           {"device_mode", "hot"},
                                           {"device_backend", "cuda"},
                                           {"host_backend", "cpu"},
                                           {"points/0/workload", "square-128"},
                                           {"points/0/device_rung", "cublas"},
                                           {"points/0/host_rung", "cpu_tuned"}};
    static const char *const keys[] = {"gain", "bytes"};
    struct result results[6];
    for (size_t i = 0; i < 6; i++) {
        bool is_host = i % 2 == 0;
        results[i] = timed(row("matmul", sizes[i / 2], is_host ? "cpu_tuned" : "cublas", "hot"), is_host  ? 1e-3
                                                                                                 : i == 1 ? 2e-3
                                                                                                          : 0.5e-3);
        strcpy(results[i].shape, "2x3xrow");
    }
    summarize_well(results, 6);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "crossovers/0/%s", texts[i][0]);
        assert_text(path, texts[i][1]);
    }
    assert_int_equal(count("crossovers/0/points"), 3);
    assert_numbers("crossovers/0/points/0/", keys, (const double[]){0.5, 196608}, 2);
    assert_non_null(strstr(json_string_value(at(document, "crossovers/0/text")), "between square-128"));
    for (size_t rows = 6; rows >= 4; rows -= 2) { /* two sizes show no crossover */
        static char text[4096];
        summarize_well(results, rows);
        FILE *csv = fmemopen(text, sizeof text, "w");
        assert_int_equal(summary_print_crossovers(csv_file, &table, csv, &error),
                         rows == 6 ? EXIT_RIGHT : EXIT_ALL_SKIPPED);
        fclose(csv);
        assert_string_equal(strtok(text, "\n"), "op,kind,what,workload,bytes,flops,device_rung,device_mode,"
                                                "device_time_s,host_rung,host_mode,host_time_s,gain");
        const char *line = strtok(NULL, "\n");
        assert_string_equal(line ? line : "", rows == 4 ? ""
                                                        : "matmul,row,the kernel alone,square-128,196608,4194304,"
                                                          "cublas,hot,0.002,cpu_tuned,hot,0.001,0.5");
    }
}

TEST(the_status_says_whether_there_is_a_time)
{
    struct result none = skipped(row("matmul", "mnist", "cublas", "cold"), "no GPU");
    assert_int_equal(summarize(&none, 1, ""), EXIT_ALL_SKIPPED);
    assert_int_equal(summarize(NULL, 0, ""), EXIT_ALL_SKIPPED);
    assert_int_equal(summarize(NULL, 0, "rubbish\n"), EXIT_USAGE);
    assert_int_equal(summary_print("absent.csv", &table, stdout, &error), EXIT_USAGE);
}

TEST(times_that_cannot_be_are_refused)
{
    const double impossible_s[] = {1e308, 1e-320, 1e7, -1};
    for (size_t i = 0; i < sizeof impossible_s / sizeof impossible_s[0]; i++) {
        struct result result = timed(row("matmul", "mnist", "cublas", "cold"), 1);
        result.statistics.median = impossible_s[i];
        assert_int_equal(summarize(&result, 1, ""), EXIT_USAGE);
        assert_non_null(strstr(error.text, "line 2: time_median_s"));
    }
}

TEST(what_cannot_be_merged_is_refused)
{
    struct device_info other = sample_gpu;
    struct result results[] = {in_round(timed(row("matmul", "mnist", "cublas", "hot"), 1), 0),
                               in_round(timed(row("matmul", "mnist", "cublas", "hot"), 2), 0)};
    assert_int_equal(summarize(results, 2, ""), EXIT_USAGE);
    assert_non_null(strstr(error.text, "round 0 of matmul/mnist/cublas/hot is there twice"));
    results[1].round = 1;
    assert_int_equal(summarize(results, 2, ""), EXIT_RIGHT);
    strcpy(other.uuid, "GPU-other");
    results[1].device = &other;
    assert_int_equal(summarize(results, 2, ""), EXIT_USAGE);
    assert_non_null(strstr(error.text, "two machines or devices"));
}
