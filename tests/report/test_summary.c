/* What --summarize says of a file. */
#include "bench/base/error.h"
#include "bench/report/reporter.h"
#include "bench/report/summary.h"
#include "json_says.h"
#include "sample_results.h"
#include "tests/select/selected_rows.h"
#include "tests/unit.h"

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
    int status = summary_print(csv_file, &table, SUMMARY_ALL, json, &error);
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

static double number(const char *path)
{
    const json_t *value = json_at(document, path);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

AROUND_EACH_TEST(NULL, forget)

TEST(rows_are_merged_over_rounds_and_ordered_by_the_table)
{
    struct result results[6];
    for (int i = 0; i < 3; i++) {
        const double median_s = (double[]){2.4e-3, 2e-3, 2.2e-3}[i];
        results[2 * i] = in_round(timed(row("matmul", "mnist", "cublas", "hot"), 10 * median_s), i);
        results[2 * i + 1] = in_round(timed(row("matmul", "mnist", "cuda_tiled", "hot"), median_s), i);
    }
    summarize_well(results, 6);
    assert_json(document, "rows=#2 rounds=3 rows/0/variant=cuda_tiled rows/0/source=kernels/matmul/tiled.cu "
                          "rows/0/time_median_s=2.2e-3 rows/0/low_s=2e-3 rows/0/high_s=2.4e-3 rows/0/over_library=10 "
                          "rows/0/over_library_low=8.3333333333 rows/0/over_library_high=12");
    assert_true(json_string_length(json_at(document, "rows/0/summary")) > 0);
    assert_json(document, "rows/0/best=true");
}

/* Of a program that had others. */
TEST(rungs_that_the_table_lacks_come_last_by_name)
{
    static const char *const variants[] = {"zeta", "alpha", "cublas", "cuda_tiled"}, *const modes_of[] = {"cold",
                                                                                                          "hot"};
    static const char *const expected[] = {"cuda_tiled", "cublas", "alpha", "zeta"};
    struct result results[16];
    for (int i = 0; i < 16; i++) { /* in the second round the other way round */
        const char *variant = variants[i < 8 ? i / 2 : 7 - i / 2];
        results[i] = in_round(timed(row("matmul", "mnist", variant, modes_of[i % 2]), 1e-3), i / 8);
    }
    summarize_well(results, 16);
    assert_json(document, "rows=#8");
    for (int i = 0; i < 8; i++) {
        char path[64];
        snprintf(path, sizeof path, "rows/%d/variant=%s", i, expected[i % 4]);
        assert_json(document, "%s", path);
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
    assert_json(document,
                "workloads=#2 workloads/0/headlines=#2 workloads/1/headlines=#1 workloads/0/shape=50000x784x10 "
                "workloads/0/headlines/0/mode=cold workloads/0/headlines/0/best=cuda_tiled "
                "workloads/0/headlines/0/over_library=1.5 workloads/0/headlines/0/tied=#0 "
                "workloads/0/headlines/1/best=cublas workloads/0/headlines/1/tied=#1 "
                "workloads/0/headlines/1/tied/0=cuda_tiled devices=#1 modes=#2");
    assert_string_equal(json_string_value(json_at(document, "devices/0/device")), sample_gpu.name);
    assert_json(document, "rows/2/fastest_own=true rows/3/fastest_own=false"); /* hot */
}

TEST(it_is_counted_what_other_work_disturbed_and_each_mark_is_explained)
{
    struct result results[] = {timed(row("matmul", "mnist", "cuda_tiled", "cold"), 1e-3),
                               timed(row("matmul", "mnist", "cublas", "cold"), 1e-3),
                               failed(row("matmul", "mnist", "cuda_naive", "cold"), "not run")};
    strcpy(results[0].conditions.marks, "throttled preempted time-stolen");
    strcpy(results[1].conditions.marks, "throttled");
    strcpy(results[2].conditions.marks, "preempted");
    summarize_well(results, 3);
    assert_json(document, "devices/0/measured=2 devices/0/disturbed=1");
    size_t i;
    json_t *mark;
    bool is_there = false;
    json_array_foreach(json_at(document, "marks"), i, mark)
    {
        is_there = is_there || strcmp(json_string_value(json_object_get(mark, "mark")), "throttled") == 0;
        assert_true(json_string_length(json_object_get(mark, "about")) > 0);
    }
    assert_true(is_there);
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
    results[4].slowdown_pct = 50; /* which is left out */
    summarize_well(results, 5);
    assert_json(document,
                "totals/rows=4 totals/measured=1 totals/correct=1 totals/wrong=1 totals/failed=2 totals/skipped=1 "
                "slowed_rows=1");
    for (size_t i = 0; i < 4; i++) {
        const json_t *entry = json_array_get(json_at(document, "rows"), i);
        bool is_wrong = strcmp(json_string_value(json_object_get(entry, "variant")), "cuda_tiled") == 0;
        assert_int_equal(json_is_true(json_object_get(entry, "wrong")), is_wrong);
    }
}

/* The best that any row saw, whatever it is made of. A device's arithmetic has one for all sizes. */
TEST(rows_of_one_size_have_one_ceiling)
{
    struct result results[] = {
        timed(row("matmul", "mnist", "cublas", "cold"), 4e-3),
        timed(row("matmul", "mnist", "cuda_tiled", "cold"), 5e-3),
        timed(row("matmul", "mnist", "cuda_naive", "cold"), 6e-3),
        timed(row("matmul", "square-128", "cuda_naive", "cold"), 6e-3),
    };
    for (size_t i = 0; i < 4; i++) {
        results[i].floor_s = (double[]){2e-3, 1e-3, 3e-3, 1e-6}[i];
        strcpy(results[i].ceiling, (const char *[]){"copy", "read", "fma", "fma"}[i]);
    }
    summarize_well(results, 4);
    assert_json(document,
                "rows/0/variant=cuda_naive rows/1/variant=cuda_tiled rows/0/ceiling_pct=50 rows/1/ceiling_pct=20 "
                "rows/2/ceiling_pct=25 rows/0/ceiling_pct_low=49.0196078431 rows/0/ceiling_pct_high=51.0204081633 "
                "ceilings=#3 ceilings/0/kind=read ceilings/0/per_s=158831360e3 ceilings/1/kind=copy "
                "ceilings/2/per_s=4194304e6");
}

TEST(a_crossover_has_its_sizes_in_both_forms)
{
    static const char *const sizes[] = {"square-128", "mnist", "square-8192"};
    struct result results[6];
    for (size_t i = 0; i < 6; i++) {
        bool is_host = i % 2 == 0;
        results[i] = timed(row("matmul", sizes[i / 2], is_host ? "cpu_auto" : "cublas", "hot"), is_host  ? 1e-3
                                                                                                : i == 1 ? 2e-3
                                                                                                         : 0.5e-3);
        strcpy(results[i].shape, "2x3xrow");
    }
    summarize_well(results, 6);
    assert_json(document,
                "crossovers/0/op=matmul crossovers/0/kind=row crossovers/0/device_mode=hot crossovers/0/points=#3 "
                "crossovers/0/device_backend=cuda crossovers/0/host_backend=cpu crossovers/0/points/0/gain=0.5 "
                "crossovers/0/points/0/gain_low=0.480392156863 crossovers/0/points/0/gain_high=0.520408163265 "
                "crossovers/0/points/0/workload=square-128 crossovers/0/points/0/device_rung=cublas "
                "crossovers/0/points/0/host_rung=cpu_auto crossovers/0/points/0/bytes=196608");
    assert_non_null(strstr(json_string_value(json_at(document, "crossovers/0/text")), "not being square-128"));
    for (size_t rows = 6; rows >= 4; rows -= 2) { /* two sizes show no crossover */
        static char text[4096];
        summarize_well(results, rows);
        int status;
        PRINT_TO(text, csv, status = summary_print(csv_file, &table, SUMMARY_CROSSOVERS, csv, &error));
        assert_int_equal(status, rows == 6 ? EXIT_RIGHT : EXIT_ALL_SKIPPED);
        assert_string_equal(strtok(text, "\n"), "op,kind,what,workload,bytes,flops,device_rung,device_mode,"
                                                "device_time_s,host_rung,host_mode,host_time_s,gain");
        const char *line = strtok(NULL, "\n");
        assert_string_equal(line ? line : "", rows == 4 ? ""
                                                        : "matmul,row,the kernel alone,square-128,196608,4194304,"
                                                          "cublas,hot,0.002,cpu_auto,hot,0.001,0.5");
    }
}

TEST(the_status_says_whether_there_is_a_time)
{
    struct result none = skipped(row("matmul", "mnist", "cublas", "cold"), "no GPU");
    assert_int_equal(summarize(&none, 1, ""), EXIT_ALL_SKIPPED);
    assert_int_equal(summarize(NULL, 0, ""), EXIT_ALL_SKIPPED);
    assert_int_equal(summarize(NULL, 0, "rubbish\n"), EXIT_USAGE);
    assert_int_equal(summary_print("absent.csv", &table, SUMMARY_ALL, stdout, &error), EXIT_USAGE);
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

TEST(a_floor_may_be_shorter_than_a_cycle_but_not_nothing)
{
    struct result result = timed(row("matmul", "mnist", "cublas", "cold"), 1);
    result.floor_s = 1e-15;
    assert_int_equal(summarize(&result, 1, ""), EXIT_RIGHT);
    result.floor_s = 0;
    assert_int_equal(summarize(&result, 1, ""), EXIT_USAGE);
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
