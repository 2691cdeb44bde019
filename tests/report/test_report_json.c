/* Google Benchmark's JSON: read back, and against a golden file. Leaves two files for test_compare.sh. */
#include "bench/report/reporter.h"
#include "sample_results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 10 };

static const char json_file[] = "results.json";
static json_t *document; /* what the last write_json() wrote */

static const struct json_about plain = {.executable = "./rungbench"};
static struct json_about about; /* plain, unless a test wants more */

static int clean_up(void **state)
{
    (void)state;
    json_decref(document);
    document = NULL;
    about = plain;
    remove(json_file);
    return 0;
}

static void write_json(const char *path, const struct result *results, size_t count)
{
    struct output output;
    struct error error = {""};
    json_error_t json_error;
    bool ok = output_open(&output, path, &error);
    const struct result_list list = {(struct result *)results, count, count};
    if (!ok || !report_json(&list, &about, &output, &error) || !output_commit(&output, &error))
        fail_msg("%s", error.text);
    json_decref(document);
    document = json_load_file(path, JSON_REJECT_DUPLICATES, &json_error);
    if (!document)
        fail_msg("%s: line %d: %s", path, json_error.line, json_error.text);
}

static const json_t *member(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        fail_msg("there is no member %s", key);
    return value;
}

static const json_t *entry(const char *list, size_t i)
{
    const json_t *value = json_array_get(member(document, list), i);
    if (!value)
        fail_msg("%s has no entry %zu", list, i);
    return value;
}

static void assert_count(const char *list, size_t count)
{
    assert_true(json_is_array(member(document, list)));
    assert_int_equal(json_array_size(member(document, list)), count);
}

static void assert_text(const json_t *object, const char *key, const char *expected)
{
    assert_true(json_is_string(member(object, key)));
    assert_string_equal(json_string_value(member(object, key)), expected);
}

static void assert_integer(const json_t *object, const char *key, json_int_t expected)
{
    assert_true(json_is_integer(member(object, key)));
    assert_int_equal(json_integer_value(member(object, key)), expected);
}

static void assert_number(const json_t *object, const char *key, double expected)
{
    double value = json_number_value(member(object, key));
    assert_true(json_is_number(member(object, key)));
    if (!(fabs(value - expected) <= 1e-8 * fabs(expected)))
        fail_msg("%s is %.17g, expected %.17g", key, value, expected);
}

static void assert_missing(const json_t *object, const char *key)
{
    if (json_object_get(object, key))
        fail_msg("there is a member %s", key);
}

static struct result tiled(double median_s)
{
    return timed(row("matmul", "mnist", "cuda_tiled", "hot"), median_s);
}

static void a_measured_row_is_an_iteration(void **state)
{
    (void)state;
    struct result r = tiled(40e-6);
    write_json(json_file, &r, 1);
    assert_count("benchmarks", 1);
    assert_count("not_measured", 0);
    const json_t *e = entry("benchmarks", 0);
    assert_text(e, "name", "matmul/mnist/cuda_tiled/hot");
    assert_text(e, "run_name", "matmul/mnist/cuda_tiled/hot");
    assert_text(e, "run_type", "iteration");
    assert_integer(e, "family_index", 0);
    assert_integer(e, "per_family_instance_index", 0);
    assert_integer(e, "repetitions", 1);
    assert_integer(e, "repetition_index", 0);
    assert_integer(e, "threads", 1);
    assert_integer(e, "iterations", 9 * 20);
    assert_number(e, "real_time", 40e3);
    assert_number(e, "cpu_time", 40e3);
    assert_text(e, "time_unit", "ns");
    assert_text(e, "baseline", "cpu_scalar");
    assert_missing(e, "error_occurred");
    assert_missing(e, "skipped");
    assert_missing(e, "label");
    assert_missing(e, "launch_bound");
}

static void counters_have_the_names_and_units_of_the_csv(void **state)
{
    (void)state;
    struct result r = timed(row("matmul", "mnist", "cuda_tiled", "e2e"), 40e-6);
    r.upload_s = 3.0e-5;
    r.kernel_s = 4.1e-6;
    r.download_s = 1.5e-6;
    r.launch_bound = true;
    r.conditions.energy_j = 210.25;
    r.conditions.energy_over_s = 0.75;
    r.conditions.preemptions = 2;
    r.slowdown_pct = 12.5;
    snprintf(r.conditions.marks, sizeof r.conditions.marks, "throttled mps");
    write_json(json_file, &r, 1);
    const json_t *e = entry("benchmarks", 0);
    const struct {
        const char *name;
        double value;
    } expected[] = {
        {"samples", 9},
        {"time_min_s", 40e-6 * 0.96},
        {"time_q1_s", 40e-6 * 0.98},
        {"time_median_s", 40e-6},
        {"time_q3_s", 40e-6 * 1.02},
        {"time_mean_s", 40e-6},
        {"time_stdev_s", 40e-6 * 0.01 * sqrt(7.5)},
        {"time_ci_low_s", 40e-6 * 0.97},
        {"time_ci_high_s", 40e-6 * 1.03},
        {"tick_s", 1e-9},
        {"bytes", 158831360},
        {"flops", 784e6},
        {"gflops", 0.784 / 40e-6},
        {"bandwidth_gbs", 0.15883136 / 40e-6},
        {"floor_s", 17e-6},
        {"ceiling_pct", 42.5},
        {"upload_s", 3.0e-5},
        {"kernel_s", 4.1e-6},
        {"download_s", 1.5e-6},
        {"speedup", 2500},
        {"slowdown_pct", 12.5},
        {"max_abs_err", 1.5e-6},
        {"err_bound", 4.5e-5},
        {"rms_err", 0.51},
        {"sm_clock_mhz", 1980},
        {"sm_cycles", 79200},
        {"temperature_c", 41},
        {"power_w", 310.5},
        {"energy_j", 210.25},
        {"energy_over_s", 0.75},
        {"preemptions", 2},
        {"empty_kernel_s", 2.5e-6},
        {"memory_clock_mhz", 2619},
        {"power_limit_w", 700},
        {"sm_clock_set_mhz", 1980},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_number(e, expected[i].name, expected[i].value);
    assert_text(e, "label", "throttled mps");
    assert_true(json_is_true(member(e, "launch_bound")));
}

static void texts_have_the_names_of_the_csv(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cuda_tiled", "cold"), 1),
                               timed(row("matmul", "mnist", "cpu_tuned", "hot"), 1)};
    strcpy(results[0].transfer, "pinned");
    write_json(json_file, results, 2);
    static const char *const expected[][2] = {
        {"op", "matmul"},
        {"workload", "mnist"},
        {"shape", "50000x784x10"},
        {"variant", "cuda_tiled"},
        {"backend", "cuda"},
        {"precision", "fp32"},
        {"mode", "cold"},
        {"device", "Example H200, 141 GB"},
        {"device_uuid", "GPU-00000000-1111-2222-3333-444444444444"},
        {"driver_version", "550.54"},
        {"cuda_version", "12.4"},
        {"blas_version", "cuBLAS 12.4.5"},
        {"stop_reason", "settled"},
        {"transfer", "pinned"},
        {"throttled", "no"},
        {"flush", "read"},
        {"input", "mnist-t10k (its 10000 images repeat)"},
        {"ceiling", "read"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_text(entry("benchmarks", 0), expected[i][0], expected[i][1]);
    assert_text(entry("benchmarks", 1), "affinity", "0-3,8");
    assert_text(entry("benchmarks", 1), "governor", "performance");
    assert_missing(entry("benchmarks", 1), "device_uuid");
}

static void what_is_unknown_is_left_out(void **state)
{
    (void)state;
    struct result r = timed(row("grayscale", "thumb", "cpu_scalar", "hot"), 1);
    r.statistics = statistics_of((double[]){1}, 1);
    r.speedup = r.rms_err = NAN;
    r.max_abs_err = INFINITY;
    r.baseline[0] = '\0';
    write_json(json_file, &r, 1);
    const json_t *e = entry("benchmarks", 0);
    static const char *const unknown[] = {
        "time_ci_low_s", "time_ci_high_s", "flops",         "gflops",  "floor_s",  "ceiling_pct",
        "upload_s",      "kernel_s",       "download_s",    "speedup", "rms_err",  "max_abs_err",
        "sm_clock_mhz",  "sm_cycles",      "temperature_c", "power_w", "energy_j", "baseline"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        assert_missing(e, unknown[i]);
    assert_number(e, "err_bound", 4.5e-5);
    assert_integer(e, "threads", 16);
}

static void the_context_says_where_and_what(void **state)
{
    (void)state;
    struct run_facts large = sample_facts;
    struct result results[] = {tiled(1), timed(row("matmul", "mnist", "cpu_scalar", "hot"), 1), tiled(2),
                               skipped(row("matmul", "mnist", "cublas", "hot"), "no GPU")};
    large.seed = UINT64_MAX;
    results[0].run = &large;
    write_json(json_file, results, 4);
    const json_t *context = member(document, "context");
    assert_text(context, "date", "2026-11-20T13:40:00Z");
    assert_text(context, "host_name", "lab-7");
    assert_text(context, "executable", "./rungbench");
    assert_integer(context, "num_cpus", sysconf(_SC_NPROCESSORS_ONLN));
    assert_true(json_is_integer(member(context, "mhz_per_cpu")));
    assert_true(json_is_boolean(member(context, "cpu_scaling_enabled")));
    assert_int_equal(json_array_size(member(context, "load_avg")), 3);
    size_t i;
    json_t *cache;
    json_array_foreach(member(context, "caches"), i, cache)
    {
        assert_true(json_is_string(member(cache, "type")));
        assert_true(json_integer_value(member(cache, "level")) > 0);
        assert_true(json_integer_value(member(cache, "size")) > 0);
        assert_true(json_integer_value(member(cache, "num_sharing")) > 0);
    }
    assert_text(context, "library_build_type", "release");
    assert_true(strlen(json_string_value(member(context, "library_version"))) >= 5);
    assert_integer(context, "json_schema_version", 1);
    assert_text(context, "git_rev", "0123456789ab");
    assert_text(context, "sitting", sample_facts.session);
    assert_text(context, "seed", "18446744073709551615");
    const json_t *devices = member(context, "devices");
    assert_int_equal(json_array_size(devices), 2);
    assert_string_equal(json_string_value(json_array_get(devices, 0)), sample_gpu.name);
    assert_string_equal(json_string_value(json_array_get(devices, 1)), sample_cpu.name);
}

static void google_benchmarks_flags_do_what_they_do_there(void **state)
{
    (void)state;
    const struct result results[] = {in_round(tiled(1e-6), 0), in_round(tiled(3e-6), 1), tiled(5e-6)};
    about.context = (const char *const[]){"branch=main,empty=", "sum=a=b", "caf\xe9=caf\xe9", NULL};
    about.time_unit = 1;
    write_json(json_file, &results[2], 1);
    const json_t *context = member(document, "context");
    assert_text(context, "branch", "main");
    assert_text(context, "empty", "");
    assert_text(context, "sum", "a=b");
    assert_text(context, "caf?", "caf?");
    assert_number(entry("benchmarks", 0), "real_time", 5);
    assert_text(entry("benchmarks", 0), "time_unit", "us");
    about.aggregates_only = true;
    write_json(json_file, &results[2], 1);
    assert_count("benchmarks", 1);
    write_json(json_file, results, 2);
    assert_text(entry("benchmarks", 0), "aggregate_name", "mean");
    assert_number(entry("benchmarks", 0), "cpu_time", 2);
}

static void a_row_without_a_time_is_not_among_the_benchmarks(void **state)
{
    (void)state;
    struct result results[] = {failed(row("matmul", "mnist", "cuda_naive", "hot"), "wrong \"answer\"\n"), tiled(1),
                               skipped(row("matmul", "mnist", "cublas", "hot"), "built without CUDA"),
                               row("grayscale", "puppy", "cpu_scalar", "verify")};
    results[3].max_abs_err = 0;
    write_json(json_file, results, 4);
    assert_count("benchmarks", 1);
    assert_count("not_measured", 3);
    assert_text(entry("benchmarks", 0), "name", "matmul/mnist/cuda_tiled/hot");
    assert_integer(entry("benchmarks", 0), "family_index", 1);
    for (size_t i = 0; i < 3; i++) {
        assert_missing(entry("not_measured", i), "real_time");
        assert_missing(entry("not_measured", i), "cpu_time");
        assert_missing(entry("not_measured", i), "iterations");
    }
    const json_t *wrong = entry("not_measured", 0), *absent = entry("not_measured", 1),
                 *verified = entry("not_measured", 2);
    assert_text(wrong, "name", "matmul/mnist/cuda_naive/hot");
    assert_true(json_is_true(member(wrong, "error_occurred")));
    assert_text(wrong, "error_message", "wrong \"answer\"\n");
    assert_missing(wrong, "skipped");
    assert_text(absent, "name", "matmul/mnist/cublas/hot");
    assert_true(json_is_true(member(absent, "skipped")));
    assert_text(absent, "skip_message", "built without CUDA");
    assert_missing(absent, "error_occurred");
    assert_text(verified, "name", "grayscale/puppy/cpu_scalar/verify");
    assert_missing(verified, "skipped");
    assert_missing(verified, "error_occurred");
    assert_number(verified, "max_abs_err", 0);
}

static void without_results_the_document_is_whole_and_preamble(void **state)
{
    (void)state;
    struct output output;
    struct error error;
    assert_true(output_open(&output, json_file, &error));
    assert_true(report_json(&(struct result_list){0}, &about, &output, &error));
    assert_true(output.whole > 0 && output.whole == output.preamble);
    output_discard(&output);
    write_json(json_file, NULL, 0);
    assert_count("benchmarks", 0);
    assert_missing(member(document, "context"), "date");
    assert_integer(member(document, "context"), "json_schema_version", 1);
}

static void with_results_nothing_is_preamble(void **state)
{
    (void)state;
    struct output output;
    struct error error;
    struct result r = tiled(1);
    assert_true(output_open(&output, json_file, &error));
    assert_true(report_json(&(struct result_list){&r, 1, 1}, &about, &output, &error));
    assert_true(output.whole > 0 && output.preamble == 0);
    output_discard(&output);
}

static void rounds_are_repetitions_and_have_aggregates(void **state)
{
    (void)state;
    struct result results[2 * 5];
    for (int i = 0; i < 5; i++) {
        results[2 * i] = in_round(tiled((double[]){3e-6, 1e-6, 2e-6, 5e-6, 4e-6}[i]), i);
        results[2 * i + 1] = in_round(timed(row("matmul", "mnist", "cpu_scalar", "hot"), 1), i);
    }
    write_json(json_file, results, 10);
    assert_count("benchmarks", 2 * (5 + 4));
    for (size_t i = 0; i < 5; i++) {
        const json_t *e = entry("benchmarks", i);
        assert_text(e, "name", "matmul/mnist/cuda_tiled/hot");
        assert_text(e, "run_type", "iteration");
        assert_integer(e, "repetitions", 10);
        assert_integer(e, "repetition_index", (json_int_t)i);
        assert_number(e, "real_time", (double[]){3e3, 1e3, 2e3, 5e3, 4e3}[i]);
    }
    static const struct {
        const char *name, *aggregate, *unit;
        double value;
    } expected[] = {
        {"matmul/mnist/cuda_tiled/hot_mean", "mean", "time", 3e3},
        {"matmul/mnist/cuda_tiled/hot_median", "median", "time", 3e3},
        {"matmul/mnist/cuda_tiled/hot_stddev", "stddev", "time", 1581.13883},
        {"matmul/mnist/cuda_tiled/hot_cv", "cv", "percentage", 0.527046277},
    };
    for (size_t i = 0; i < 4; i++) {
        const json_t *e = entry("benchmarks", 5 + i);
        assert_text(e, "name", expected[i].name);
        assert_text(e, "run_name", "matmul/mnist/cuda_tiled/hot");
        assert_text(e, "run_type", "aggregate");
        assert_text(e, "aggregate_name", expected[i].aggregate);
        assert_text(e, "aggregate_unit", expected[i].unit);
        assert_text(e, "time_unit", "ns");
        assert_integer(e, "family_index", 0);
        assert_integer(e, "repetitions", 10);
        assert_integer(e, "iterations", 5);
        assert_missing(e, "repetition_index");
        assert_number(e, "real_time", expected[i].value);
        assert_number(e, "cpu_time", expected[i].value);
    }
    assert_integer(entry("benchmarks", 9), "family_index", 1);
    assert_text(entry("benchmarks", 17), "name", "matmul/mnist/cpu_scalar/hot_cv");
}

static void few_rounds_have_no_spread(void **state)
{
    (void)state;
    struct result results[4];
    for (int i = 0; i < 4; i++)
        results[i] = in_round(tiled(i + 1), i);
    write_json(json_file, results, 4);
    assert_count("benchmarks", 4 + 2);
    assert_text(entry("benchmarks", 4), "aggregate_name", "mean");
    assert_text(entry("benchmarks", 5), "aggregate_name", "median");
}

static void rounds_without_a_time_are_in_no_aggregate(void **state)
{
    (void)state;
    struct result results[] = {in_round(failed(tiled(0), "wrong"), 0), in_round(tiled(2), 1), in_round(tiled(4), 2),
                               in_round(failed(row("matmul", "mnist", "cublas", "hot"), "wrong"), 0)};
    results[0].statistics = statistics_of(NULL, 0);
    write_json(json_file, results, 4);
    assert_count("benchmarks", 2 + 2);
    assert_count("not_measured", 2);
    assert_number(entry("benchmarks", 2), "real_time", 3e9);
    assert_integer(entry("benchmarks", 2), "iterations", 2);
}

static void what_is_not_utf_8_loses_its_bytes_but_not_its_file(void **state)
{
    (void)state;
    struct device_info device = sample_gpu;
    struct result results[] = {failed(row("matmul", "mnist", "cuda_naive", "hot"), "photo \xff\xfe.png: caf\xc3"),
                               failed(row("matmul", "mnist", "cublas", "hot"), "caf\xc3\xa9")};
    snprintf(device.name, sizeof device.name, "H\xff");
    results[0].device = results[1].device = &device;
    write_json(json_file, results, 2);
    assert_text(entry("not_measured", 0), "error_message", "photo ??.png: caf?");
    assert_text(entry("not_measured", 1), "error_message", "caf\xc3\xa9");
    const json_t *devices = member(member(document, "context"), "devices");
    assert_int_equal(json_array_size(devices), 1);
    assert_string_equal(json_string_value(json_array_get(devices, 0)), "H?");
}

static void a_document_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    struct output read_only = {.fd = open("/dev/null", O_RDONLY), .in_place = true, .path = "results.json"};
    struct error error = {""};
    struct result r = tiled(1);
    assert_false(report_json(&(struct result_list){&r, 1, 1}, &about, &read_only, &error));
    assert_non_null(strstr(error.text, "results.json"));
    close(read_only.fd);
}

/* What differs from machine to machine and from version to version becomes 0, up to one of these characters. */
static void mask_up_to(char *text, const char *key, const char *ends)
{
    char *value = strstr(text, key);
    assert_non_null(value);
    value += strlen(key);
    size_t length = strcspn(value, ends);
    *value = '0';
    memmove(value + 1, value + length, strlen(value + length) + 1);
}

static void mask(char *text, const char *key)
{
    mask_up_to(text, key, ",\n");
}

static void mask_list(char *text, const char *key)
{
    mask_up_to(text, key, "]");
}

static void the_json_is_golden(void **state)
{
    (void)state;
    struct result results[7];
    char text[TEXT_MAX];
    for (int i = 0; i < 5; i++)
        results[i] = in_round(timed(row("matmul", "mnist", "cuda_tiled", "hot"), (38 + i) * 1e-6), i);
    results[5] = failed(row("matmul", "mnist", "cuda_naive", "hot"), "wrong answer: C[3,4] is 1, expected 2");
    results[6] = skipped(row("matmul", "mnist", "cublas", "hot"), "built without CUDA");
    write_json(json_file, results, 7);
    read_file(json_file, text);
    mask(text, "\"num_cpus\": ");
    mask(text, "\"mhz_per_cpu\": ");
    mask(text, "\"cpu_scaling_enabled\": ");
    mask_list(text, "\"caches\": [");
    mask_list(text, "\"load_avg\": [");
    mask(text, "\"library_version\": ");
    assert_is_golden("results.json", text);
}

/* Ten rounds of a base and a new version, which has a slower row, one that is as fast, one that failed once, and rows
 * that only one of the two has a time for. */
static size_t make_version(bool is_new, struct result results[6 * ROUNDS])
{
    size_t n = 0;
    for (int i = 0; i < ROUNDS; i++) {
        double noise = 1 + 0.001 * (i * 7 % ROUNDS);
        struct result slower = row("matmul", "mnist", "cuda_tiled", "hot");
        struct result same = row("matmul", "mnist", "cublas", "hot");
        struct result fails = row("matmul", "mnist", "cuda_naive", "hot");
        struct result goes = row("matmul", "mnist", "cpu_tuned", "hot");
        struct result comes = row("matmul", "mnist", "cpu_scalar", "hot");
        struct result missing = row("matmul", "mnist", "openblas", "hot");
        results[n++] = in_round(timed(slower, (is_new ? 60e-6 : 40e-6) * noise), i);
        results[n++] = in_round(timed(same, 12e-6 * noise), i);
        results[n++] = in_round(is_new && i == 3 ? failed(fails, "wrong answer") : timed(fails, 90e-6 * noise), i);
        results[n++] = in_round(is_new ? skipped(goes, "too slow") : timed(goes, 0.004 * noise), i);
        results[n++] = in_round(is_new ? timed(comes, 0.1 * noise) : failed(comes, "wrong answer"), i);
        results[n++] = in_round(skipped(missing, "built without OpenBLAS"), i);
    }
    return n;
}

static void write_once(const char *path, struct result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        results[i].round_count = 1;
    write_json(path, results, count);
}

static void files_for_compare_py(void **state)
{
    (void)state;
    struct result results[6 * ROUNDS];
    size_t count = make_version(false, results);
    write_json("base.json", results, count);
    write_once("base-once.json", results, count / ROUNDS);
    count = make_version(true, results);
    write_json("new.json", results, count);
    write_once("new-once.json", results, count / ROUNDS);
    write_json("nothing.json", &results[count - 1], 1);
}

#define test(function) cmocka_unit_test_setup_teardown(function, clean_up, clean_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_measured_row_is_an_iteration),
        test(counters_have_the_names_and_units_of_the_csv),
        test(texts_have_the_names_of_the_csv),
        test(what_is_unknown_is_left_out),
        test(the_context_says_where_and_what),
        test(google_benchmarks_flags_do_what_they_do_there),
        test(a_row_without_a_time_is_not_among_the_benchmarks),
        test(without_results_the_document_is_whole_and_preamble),
        test(with_results_nothing_is_preamble),
        test(rounds_are_repetitions_and_have_aggregates),
        test(few_rounds_have_no_spread),
        test(rounds_without_a_time_are_in_no_aggregate),
        test(what_is_not_utf_8_loses_its_bytes_but_not_its_file),
        test(a_document_that_cannot_be_written_is_an_error),
        test(the_json_is_golden),
        test(files_for_compare_py),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
