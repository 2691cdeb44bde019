/* Google Benchmark's JSON, read back. */
#include "bench/report/reporter.h"
#include "json_says.h"
#include "sample_results.h"
#include "tests/unit.h"

#include <inttypes.h>

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
    static struct result placed[SAMPLE_RESULTS];
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

static struct result tiled(double median_s)
{
    return timed(row("matmul", "mnist", "cuda_tiled", "hot"), median_s);
}

static const char *key_of(const struct column *column)
{
    return column->key ? column->key : column->name;
}

/* What the column knows of the row is there, as a text, a number or true; what it does not is left out. */
static void assert_column(const struct column *column, const struct result *r)
{
    char buffer[COLUMN_BUFFER], path[96];
    const char *cell = column_text(column, r, buffer);
    snprintf(path, sizeof path, "%s/%s", column->json == JSON_IN_ENTRY ? "benchmarks/0" : "context", key_of(column));
    const json_t *value = json_at(document, path);
    bool is_flag = column->type == TYPE_FLAG;
    if (cell[0] == '\0' || (is_flag && strcmp(cell, "no") == 0))
        assert_null(value);
    else if (is_flag)
        assert_true(json_is_true(value));
    else if (column->type < TYPE_NUMBER || column->type == TYPE_WHOLE)
        assert_string_equal(json_string_value(value), cell);
    else
        assert_within(json_number_value(value), column_number(column, r), 1e-8 * fabs(column_number(column, r)));
}

AROUND_EACH_TEST(clean_up, clean_up)

TEST(rows_have_the_columns_of_the_csv)
{
    struct result results[SAMPLE_RESULTS];
    size_t count = make_results(results), compared = 0;
    for (size_t i = 0; i < count; i++) {
        const struct result *r = &results[i];
        write_json(json_file, r, 1);
        assert_json(document, "benchmarks=#1 benchmarks/0/threads=%d", r->device && r->is_host ? 16 : 1);
        for (size_t c = 0; c < RESULT_COLUMNS; c++)
            if (result_columns[c].json != JSON_BY_HAND) {
                assert_column(&result_columns[c], r);
                compared++;
            }
        if (result_is_measured(r))
            assert_json(json_at(document, "benchmarks/0"),
                        "real_time=%.17g cpu_time=%.17g bytes_per_second=%.17g iterations=%" PRId64,
                        1e9 * r->statistics.median, 2e9 * r->statistics.median, r->bytes / r->statistics.median,
                        r->iterations);
    }
    assert_true(compared > 80 * count);
}

TEST(no_number_is_not_finite)
{
    struct result r = tiled(1);
    r.max_abs_err = INFINITY;
    write_json(json_file, &r, 1);
    assert_json(document, "benchmarks/0/max_abs_err=- benchmarks/0/err_bound=4.5e-5");
}

/* By compare.py, Bencher's cpp_google, github-action-benchmark's googlecpp and conbench's gbench. */
TEST(what_readers_take_for_granted_is_there)
{
    static const char *const texts[] = {"name", "run_name", "run_type", "time_unit"};
    struct result results[SAMPLE_RESULTS];
    size_t count = make_results(results), i;
    json_t *e;
    results[1] = results[0]; /* two rounds, and their aggregates */
    results[1].round = results[0].round_count = results[1].round_count = 2;
    write_json(json_file, results, count);
    assert_true(json_is_array(json_at(document, "context/caches")));
    assert_json(document, "benchmarks=#%zu", count + 4);
    json_array_foreach(json_at(document, "benchmarks"), i, e)
    {
        for (size_t k = 0; k < LENGTH(texts); k++)
            assert_true(json_string_length(json_at(e, texts[k])) > 0);
        assert_true(json_is_real(json_at(e, "real_time")) && json_is_real(json_at(e, "cpu_time")));
        assert_true(json_is_integer(json_at(e, "iterations")) && json_is_integer(json_at(e, "threads")));
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
    const json_t *context = json_at(document, "context"), *devices = json_at(context, "devices");
    assert_json(context,
                "executable=./rungbench num_cpus=%ld load_avg=#3 library_build_type=release json_schema_version=1 "
                "seed=18446744073709551615 devices=#2",
                sysconf(_SC_NPROCESSORS_ONLN));
    assert_true(json_integer_value(json_at(context, "mhz_per_cpu")) > 0);
    assert_true(json_is_boolean(json_at(context, "cpu_scaling_enabled")));
    size_t i;
    json_t *cache;
    json_array_foreach(json_at(context, "caches"), i, cache)
    {
        assert_true(json_is_string(json_at(cache, "type")) && json_integer_value(json_at(cache, "level")) > 0);
        assert_true(json_integer_value(json_at(cache, "size")) > 0);
        assert_true(json_integer_value(json_at(cache, "num_sharing")) > 0);
    }
    assert_true(json_string_length(json_at(context, "library_version")) >= 5);
    assert_string_equal(json_string_value(json_array_get(devices, 0)), sample_gpu.name);
    assert_string_equal(json_string_value(json_array_get(devices, 1)), sample_cpu.name);
}

TEST(google_benchmarks_flags_do_what_they_do_there)
{
    const struct result results[] = {in_round(tiled(1e-6), 0), in_round(tiled(3e-6), 1), tiled(5e-6)};
    options = (struct options){
        .context = "branch=main,empty=,sum=a=b,caf\xe9=caf\xe9,executable=mine", .time_unit = 1, .dry_run = true};
    write_json(json_file, &results[2], 1);
    assert_json(json_at(document, "context"), "branch=main empty= sum=a=b caf?=caf? executable=mine dry_run=true");
    assert_json(document, "benchmarks/0/real_time=5 benchmarks/0/time_unit=us");
    form.aggregates_only = true;
    write_json(json_file, &results[2], 1);
    assert_json(document, "benchmarks=#1");
    write_json(json_file, results, 2);
    assert_json(document, "benchmarks=#4 benchmarks/0/aggregate_name=mean benchmarks/0/cpu_time=4");
}

TEST(what_ncu_counted_is_a_number_each)
{
    struct result r = tiled(1);
    strcpy(r.counters, "dram__bytes_read.sum=33563136,sm__warps_active.avg.pct=98.7");
    write_json(json_file, &r, 1);
    assert_json(json_at(document, "benchmarks/0"), "dram__bytes_read.sum=33563136 sm__warps_active.avg.pct=98.7");
}

TEST(a_row_without_a_time_says_so)
{
    static const char *const says[] = {
        "name=matmul/mnist/cuda_naive/hot error_occurred=true error_message=wrong~\"answer\"\n skipped=-",
        "name=matmul/mnist/cuda_tiled/hot error_occurred=- skipped=-",
        "name=matmul/mnist/cublas/hot skipped=true skip_message=built~without~CUDA error_occurred=-",
        "name=grayscale/puppy/cpu_scalar/verify skipped=true skip_message=verified,~not~timed error_occurred=-"};
    struct result results[] = {failed(row("matmul", "mnist", "cuda_naive", "hot"), "wrong \"answer\"\n"), tiled(1),
                               skipped(row("matmul", "mnist", "cublas", "hot"), "built without CUDA"),
                               row("grayscale", "puppy", "cpu_scalar", "verify")};
    results[3].max_abs_err = 0;
    write_json(json_file, results, 4);
    assert_json(document, "benchmarks=#4");
    for (size_t i = 0; i < 4; i++) {
        const json_t *e = json_array_get(json_at(document, "benchmarks"), i);
        assert_json(e, "%s", says[i]);
        assert_json(e, "run_type=iteration time_unit=ns family_index=%zu real_time=%g cpu_time=%g iterations=%d", i,
                    i == 1 ? 1e9 : 0, i == 1 ? 2e9 : 0, i == 1 ? 180 : 0);
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
    assert_json(document, "benchmarks=#0 context/date=- context/json_schema_version=1");
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
    for (int i = 0; i < 5; i++)
        results[i] = in_round(tiled((38 + i) * 1e-6), i);
    results[0].cpu_s = 0;
    write_json(json_file, results, 2);
    assert_json(document, "benchmarks=#6 benchmarks/4/real_time=707.106781");
    assert_json(document, "benchmarks/5/cpu_time=%.17g", sqrt(2)); /* of 0 and another */
    write_json(json_file, results, 1);
    assert_json(document, "benchmarks=#1");
    results[0].cpu_s = 2 * 38e-6;
    write_json(json_file, results, 5);
    assert_json(document, "benchmarks=#%zu", LENGTH(entries));
    for (size_t i = 0; i < LENGTH(entries); i++) {
        const json_t *e = json_array_get(json_at(document, "benchmarks"), i);
        const char *aggregate = entries[i].aggregate, *name = results[0].name;
        assert_json(e, "run_name=%s family_index=0 per_family_instance_index=0 repetitions=10 time_unit=ns", name);
        assert_json(e, "real_time=%.9g cpu_time=%.9g", entries[i].time, (i == 8 ? 1 : 2) * entries[i].time);
        if (aggregate)
            assert_json(e,
                        "name=%s_%s run_type=aggregate aggregate_name=%s aggregate_unit=%s iterations=5 "
                        "repetition_index=-",
                        name, aggregate, aggregate, entries[i].unit);
        else
            assert_json(e, "name=%s run_type=iteration iterations=180 repetition_index=%zu", name, i);
    }
}

TEST(rounds_without_a_time_are_in_no_aggregate)
{
    struct result results[] = {in_round(failed(tiled(0), "wrong"), 0), in_round(tiled(2), 1), in_round(tiled(4), 2),
                               in_round(failed(row("matmul", "mnist", "cublas", "hot"), "wrong"), 0)};
    results[0].statistics = statistics_of(NULL, 0);
    write_json(json_file, results, 4);
    assert_json(document, "benchmarks=#8 benchmarks/3/real_time=3e9 benchmarks/3/iterations=2");
    form.aggregates_only = true;
    write_json(json_file, results, 4);
    assert_json(document, "benchmarks=#5");
}

TEST(what_is_not_utf_8_loses_its_bytes_but_not_its_file)
{
    struct device_info device = sample_gpu;
    struct result results[] = {failed(row("matmul", "mnist", "cuda_naive", "hot"), "photo \xff\xfe.png: caf\xc3"),
                               failed(row("matmul", "mnist", "cublas", "hot"), "caf\xc3\xa9")};
    snprintf(device.name, sizeof device.name, "H\xff");
    results[0].device = results[1].device = &device;
    write_json(json_file, results, 2);
    assert_json(document, "benchmarks/0/error_message=photo~??.png:~caf? benchmarks/1/error_message=caf\xc3\xa9 "
                          "context/devices=#1 context/devices/0=H?");
}
