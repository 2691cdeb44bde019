/* Google Benchmark's JSON, read back. Leaves files for test_compare.sh. */
#include "bench/report/reporter.h"
#include "sample_results.h"
#include "tests/unit.h"

#include <jansson.h>

enum { ROUNDS = 10 };

static const char json_file[] = "results.json";
static json_t *document; /* what the last write_json() wrote */

static struct options options; /* none, unless a test wants some */
static struct google_form form;

static int clean_up(void **state)
{
    json_decref(document);
    document = NULL;
    options = (struct options){.time_unit = 0};
    form = (struct google_form){.is_csv = false};
    remove(json_file);
    return 0;
}

static void write_file(const char *path, const struct result *results, size_t count)
{
    struct output output;
    struct error error = {""};
    bool ok = output_open(&output, path, &error);
    static struct result placed[6 * ROUNDS];
    const struct result_list list = {placed, count};
    for (size_t i = 0; i < count; i++) { /* as they come */
        size_t first = 0;
        while (strcmp(results[first].name, results[i].name) != 0)
            first++;
        placed[i] = results[i];
        placed[i].place = first;
    }
    if (!ok || !report_google(&list, "./rungbench", &options, form, &output, &error) || !output_commit(&output, &error))
        fail_msg("%s", error.text);
}

static void write_json(const char *path, const struct result *results, size_t count)
{
    json_error_t json_error;
    write_file(path, results, count);
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

static const char *key_of(const struct column *column)
{
    return column->key ? column->key : column->name;
}

/* What the column knows of the row is there, as a text, a number or true; what it does not is left out. */
static void assert_column(const json_t *object, const struct column *column, const struct result *r)
{
    char buffer[COLUMN_BUFFER];
    const char *cell = column_text(column, r, buffer), *key = key_of(column);
    bool is_flag = column->type == TYPE_FLAG;
    if (cell[0] == '\0' || (is_flag && strcmp(cell, "no") == 0))
        assert_missing(object, key);
    else if (is_flag)
        assert_true(json_is_true(member(object, key)));
    else if (column->type < TYPE_NUMBER || column->type == TYPE_WHOLE)
        assert_text(object, key, cell);
    else
        assert_number(object, key, column_number(column, r));
}

AROUND_EACH_TEST(clean_up, clean_up)

TEST(rows_have_the_columns_of_the_csv)
{
    struct result results[SAMPLE_RESULTS];
    size_t count = make_results(results), compared = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_measured = result_is_measured(&results[i]);
        write_json(json_file, &results[i], 1);
        assert_count("benchmarks", 1);
        const json_t *e = entry("benchmarks", 0);
        for (size_t c = 0; c < RESULT_COLUMNS; c++)
            if (result_columns[c].json != JSON_BY_HAND) {
                assert_column(result_columns[c].json == JSON_IN_ENTRY ? e : member(document, "context"),
                              &result_columns[c], &results[i]);
                compared++;
            }
        assert_integer(e, "threads", results[i].device && results[i].is_host ? 16 : 1);
        if (is_measured) {
            assert_number(e, "real_time", 1e9 * results[i].statistics.median);
            assert_number(e, "cpu_time", 2e9 * results[i].statistics.median);
            assert_number(e, "bytes_per_second", results[i].bytes / results[i].statistics.median);
            assert_integer(e, "iterations", results[i].iterations);
        }
    }
    assert_true(compared > 80 * count);
}

TEST(no_number_is_not_finite)
{
    struct result r = tiled(1);
    r.max_abs_err = INFINITY;
    write_json(json_file, &r, 1);
    assert_missing(entry("benchmarks", 0), "max_abs_err");
    assert_number(entry("benchmarks", 0), "err_bound", 4.5e-5);
}

/* By compare.py, Bencher's cpp_google, github-action-benchmark's googlecpp and conbench's gbench. */
TEST(what_readers_take_for_granted_is_there)
{
    static const char *const texts[] = {"name", "run_name", "run_type", "time_unit"};
    static const char *const numbers[] = {"real_time", "cpu_time"};
    struct result results[SAMPLE_RESULTS];
    size_t count = make_results(results), i;
    json_t *e;
    results[1] = results[0]; /* two rounds, and their aggregates */
    results[1].round = results[0].round_count = results[1].round_count = 2;
    write_json(json_file, results, count);
    assert_true(json_is_array(member(member(document, "context"), "caches")));
    assert_count("benchmarks", count + 4);
    json_array_foreach(member(document, "benchmarks"), i, e)
    {
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            assert_true(json_string_length(member(e, texts[k])) > 0);
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
            assert_true(json_is_real(member(e, numbers[k])));
        assert_true(json_is_integer(member(e, "iterations")) && json_is_integer(member(e, "threads")));
    }
}

TEST(the_context_says_where_and_what)
{
    struct run_facts large = sample_facts;
    struct result results[] = {tiled(1), timed(row("matmul", "mnist", "cpu_scalar", "hot"), 1), tiled(2),
                               skipped(row("matmul", "mnist", "cublas", "hot"), "no GPU")};
    large.seed = UINT64_MAX;
    results[0].run = &large;
    write_json(json_file, results, 4);
    const json_t *context = member(document, "context");
    assert_text(context, "executable", "./rungbench");
    assert_integer(context, "num_cpus", sysconf(_SC_NPROCESSORS_ONLN));
    assert_true(json_integer_value(member(context, "mhz_per_cpu")) > 0);
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
    assert_text(context, "seed", "18446744073709551615");
    const json_t *devices = member(context, "devices");
    assert_int_equal(json_array_size(devices), 2);
    assert_string_equal(json_string_value(json_array_get(devices, 0)), sample_gpu.name);
    assert_string_equal(json_string_value(json_array_get(devices, 1)), sample_cpu.name);
}

TEST(google_benchmarks_flags_do_what_they_do_there)
{
    const struct result results[] = {in_round(tiled(1e-6), 0), in_round(tiled(3e-6), 1), tiled(5e-6)};
    options = (struct options){
        .context = "branch=main,empty=,sum=a=b,caf\xe9=caf\xe9,executable=mine", .time_unit = 1, .dry_run = true};
    write_json(json_file, &results[2], 1);
    const json_t *context = member(document, "context");
    assert_text(context, "branch", "main");
    assert_text(context, "empty", "");
    assert_text(context, "sum", "a=b");
    assert_text(context, "caf?", "caf?");
    assert_text(context, "executable", "mine");
    assert_text(context, "dry_run", "true");
    assert_number(entry("benchmarks", 0), "real_time", 5);
    assert_text(entry("benchmarks", 0), "time_unit", "us");
    form.aggregates_only = true;
    write_json(json_file, &results[2], 1);
    assert_count("benchmarks", 1);
    write_json(json_file, results, 2);
    assert_count("benchmarks", 4);
    assert_text(entry("benchmarks", 0), "aggregate_name", "mean");
    assert_number(entry("benchmarks", 0), "cpu_time", 4);
}

TEST(what_ncu_counted_is_a_number_each)
{
    struct result r = tiled(1);
    strcpy(r.counters, "dram__bytes_read.sum=33563136,sm__warps_active.avg.pct=98.7");
    write_json(json_file, &r, 1);
    assert_number(entry("benchmarks", 0), "dram__bytes_read.sum", 33563136);
    assert_number(entry("benchmarks", 0), "sm__warps_active.avg.pct", 98.7);
}

TEST(a_row_without_a_time_says_so)
{
    static const struct {
        const char *name, *mark, *key, *message, *other;
    } told[] = {
        {"matmul/mnist/cuda_naive/hot", "error_occurred", "error_message", "wrong \"answer\"\n", "skipped"},
        {"matmul/mnist/cuda_tiled/hot", NULL, NULL, NULL, NULL},
        {"matmul/mnist/cublas/hot", "skipped", "skip_message", "built without CUDA", "error_occurred"},
        {"grayscale/puppy/cpu_scalar/verify", "skipped", "skip_message", "verified, not timed", "error_occurred"}};
    struct result results[] = {failed(row("matmul", "mnist", "cuda_naive", "hot"), told[0].message), tiled(1),
                               skipped(row("matmul", "mnist", "cublas", "hot"), told[2].message),
                               row("grayscale", "puppy", "cpu_scalar", "verify")};
    results[3].max_abs_err = 0;
    write_json(json_file, results, 4);
    assert_count("benchmarks", 4);
    for (size_t i = 0; i < 4; i++) {
        const json_t *e = entry("benchmarks", i);
        assert_text(e, "name", told[i].name);
        assert_text(e, "run_type", "iteration");
        assert_text(e, "time_unit", "ns");
        assert_integer(e, "family_index", (json_int_t)i);
        assert_number(e, "real_time", told[i].key ? 0 : 1e9);
        assert_number(e, "cpu_time", told[i].key ? 0 : 2e9);
        if (!told[i].key) {
            assert_missing(e, "error_occurred");
            assert_missing(e, "skipped");
            continue;
        }
        assert_integer(e, "iterations", 0);
        assert_true(json_is_true(member(e, told[i].mark)));
        assert_text(e, told[i].key, told[i].message);
        assert_missing(e, told[i].other);
    }
}

TEST(the_csv_is_google_benchmarks)
{
    struct result results[] = {failed(row("matmul", "mnist", "cuda_naive", "hot"), "wrong \"answer\", it"),
                               skipped(row("matmul", "mnist", "cublas", "hot"), "no GPU"), tiled(40e-6)};
    char text[4096];
    results[2].bytes = 0.4;
    result_derive(&results[2]);
    conditions_mark(&results[2].conditions, "throttled");
    form.is_csv = true;
    write_file(json_file, results, 3);
    file_get(json_file, text, sizeof text);
    assert_string_equal(text, "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,"
                              "error_occurred,error_message\n"
                              "matmul/mnist/cuda_naive/hot,,,,,,,,true,\"wrong \"\"answer\"\", it\"\n"
                              "matmul/mnist/cublas/hot,,,,,,,,false,no GPU\n"
                              "matmul/mnist/cuda_tiled/hot,180,40000.0,80000.0,ns,10000.0,,throttled,,\n");
}

TEST(without_results_the_document_is_whole_and_preamble)
{
    struct result r = tiled(1);
    for (size_t count = 0; count < 2; count++) {
        struct output output;
        MUST(output_open(&output, json_file, &error));
        MUST(report_google(&(struct result_list){&r, count}, "./rungbench", &options, form, &output, &error));
        assert_true(output.whole > 0 && output.preamble == (count == 0 ? output.whole : 0));
        output_discard(&output);
    }
    write_json(json_file, NULL, 0);
    assert_count("benchmarks", 0);
    assert_missing(member(document, "context"), "date");
    assert_integer(member(document, "context"), "json_schema_version", 1);
}

TEST(rounds_are_repetitions_and_have_aggregates)
{
    static const struct {
        const char *aggregate, *unit; /* NULL: a repetition */
        double time;
    } entries[] = {{NULL, NULL, 38e3},
                   {NULL, NULL, 39e3},
                   {NULL, NULL, 40e3},
                   {NULL, NULL, 41e3},
                   {NULL, NULL, 42e3},
                   {"mean", "time", 40e3},
                   {"median", "time", 40e3},
                   {"stddev", "time", 1581.13883},
                   {"cv", "percentage", 0.0395284708}};
    struct result results[5];
    char name[sizeof results[0].name + 16];
    for (int i = 0; i < 5; i++)
        results[i] = in_round(tiled((38 + i) * 1e-6), i);
    results[0].cpu_s = 0;
    write_json(json_file, results, 2);
    assert_count("benchmarks", 2 + 4);
    assert_number(entry("benchmarks", 4), "real_time", 707.106781);
    assert_number(entry("benchmarks", 5), "cpu_time", sqrt(2)); /* of 0 and another */
    write_json(json_file, results, 1);
    assert_count("benchmarks", 1);
    results[0].cpu_s = 2 * 38e-6;
    write_json(json_file, results, 5);
    assert_count("benchmarks", sizeof entries / sizeof entries[0]);
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        const json_t *e = entry("benchmarks", i);
        const char *aggregate = entries[i].aggregate;
        snprintf(name, sizeof name, "%s%s%s", results[0].name, aggregate ? "_" : "", aggregate ? aggregate : "");
        assert_text(e, "name", name);
        assert_text(e, "run_name", results[0].name);
        assert_text(e, "run_type", aggregate ? "aggregate" : "iteration");
        assert_integer(e, "family_index", 0);
        assert_integer(e, "per_family_instance_index", 0);
        assert_integer(e, "repetitions", 10);
        assert_integer(e, "iterations", aggregate ? 5 : 180);
        assert_number(e, "real_time", entries[i].time);
        assert_number(e, "cpu_time", (i == 8 ? 1 : 2) * entries[i].time);
        assert_text(e, "time_unit", "ns");
        if (aggregate) {
            assert_missing(e, "repetition_index");
            assert_text(e, "aggregate_name", aggregate);
            assert_text(e, "aggregate_unit", entries[i].unit);
        } else {
            assert_integer(e, "repetition_index", (json_int_t)i);
        }
    }
}

TEST(rounds_without_a_time_are_in_no_aggregate)
{
    struct result results[] = {in_round(failed(tiled(0), "wrong"), 0), in_round(tiled(2), 1), in_round(tiled(4), 2),
                               in_round(failed(row("matmul", "mnist", "cublas", "hot"), "wrong"), 0)};
    results[0].statistics = statistics_of(NULL, 0);
    write_json(json_file, results, 4);
    assert_count("benchmarks", 3 + 4 + 1);
    assert_number(entry("benchmarks", 3), "real_time", 3e9);
    assert_integer(entry("benchmarks", 3), "iterations", 2);
    form.aggregates_only = true;
    write_json(json_file, results, 4);
    assert_count("benchmarks", 4 + 1);
}

TEST(what_is_not_utf_8_loses_its_bytes_but_not_its_file)
{
    struct device_info device = sample_gpu;
    struct result results[] = {failed(row("matmul", "mnist", "cuda_naive", "hot"), "photo \xff\xfe.png: caf\xc3"),
                               failed(row("matmul", "mnist", "cublas", "hot"), "caf\xc3\xa9")};
    snprintf(device.name, sizeof device.name, "H\xff");
    results[0].device = results[1].device = &device;
    write_json(json_file, results, 2);
    assert_text(entry("benchmarks", 0), "error_message", "photo ??.png: caf?");
    assert_text(entry("benchmarks", 1), "error_message", "caf\xc3\xa9");
    const json_t *devices = member(member(document, "context"), "devices");
    assert_int_equal(json_array_size(devices), 1);
    assert_string_equal(json_string_value(json_array_get(devices, 0)), "H?");
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
        struct result goes = row("matmul", "mnist", "cpu_auto", "hot");
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

TEST(files_for_compare_py)
{
    struct result results[6 * ROUNDS];
    size_t count = make_version(false, results);
    write_json("base.json", results, count);
    write_once("base-once.json", results, count / ROUNDS);
    count = make_version(true, results);
    write_json("new.json", results, count);
    write_once("new-once.json", results, count / ROUNDS);
    write_json("nothing.json", &results[count - 1], 1);
}
