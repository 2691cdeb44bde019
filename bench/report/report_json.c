#define _GNU_SOURCE /* getloadavg() */
#include "bench/base/host.h"
#include "bench/base/json_text.h"
#include "bench/base/memory.h"
#include "merge_rounds.h"
#include "reporter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rounds are Google Benchmark's repetitions. Each row is a family of its own; the index keeps its entries together. */
static json_t *named_entry(const struct result *result, const char *aggregate, size_t family)
{
    bool has_threads = result->device && result->device->threads > 0;
    char name[sizeof result->name + 16];
    snprintf(name, sizeof name, "%s%s%s", result->name, aggregate ? "_" : "", aggregate ? aggregate : "");
    return JSON_OBJECT({"name", json_known(name)}, {"family_index", json_integer((json_int_t)family)},
                       {"per_family_instance_index", json_integer(0)}, {"run_name", json_known(result->name)},
                       {"run_type", json_string(aggregate ? "aggregate" : "iteration")},
                       {"repetitions", json_integer(result->round_count)},
                       {"repetition_index", aggregate ? NULL : json_integer(result->round)},
                       {"threads", json_integer(has_threads ? result->device->threads : 1)});
}

static const struct {
    const char *name;
    double per_s;
} units[] = {{"ns", 1e9}, {"us", 1e6}, {"ms", 1e3}, {"s", 1}};

/* Readers compare real_time and cpu_time. GPU work has no CPU time, so both are the elapsed time. */
static void put_times(json_t *entry, const struct options *options, int64_t iterations, double time)
{
    JSON_PUT(entry, {"iterations", json_integer(iterations)}, {"real_time", json_number(time)},
             {"cpu_time", json_number(time)}, {"time_unit", json_string(units[options->time_unit].name)});
}

static void put_columns(json_t *to, enum json_place place, const struct result *result)
{
    for (const struct column *column = result_columns; column < result_columns + RESULT_COLUMNS; column++)
        if (column->json == place)
            json_put(to, column->key ? column->key : column->name, column_json(column, result));
}

static json_t *entry_of(const struct options *options, const struct result *result, size_t family)
{
    json_t *entry = named_entry(result, NULL, family);
    if (result->status != STATUS_OK) {
        bool has_failed = result->status == STATUS_FAILED;
        json_put(entry, has_failed ? "error_occurred" : "skipped", json_true());
        json_put(entry, has_failed ? "error_message" : "skip_message", json_known(result->reason));
    }
    if (result_is_measured(result))
        put_times(entry, options, result->iterations, units[options->time_unit].per_s * result->statistics.median);
    put_columns(entry, JSON_IN_ENTRY, result);
    return entry;
}

/* Google Benchmark's statistics over repetitions; left out where there are too few rounds. */
static void append_aggregates(const struct options *options, json_t *benchmarks, const struct result *result,
                              size_t family, double *medians_s, size_t count)
{
    struct statistics s = statistics_of(medians_s, count);
    double per_s = units[options->time_unit].per_s;
    const struct {
        const char *name, *unit;
        double value;
    } aggregates[] = {
        {"mean", "time", per_s * s.mean},
        {"median", "time", per_s * s.median},
        {"stddev", "time", per_s * s.stdev},
        {"cv", "percentage", s.stdev / s.mean}, /* a share of 1 all the same */
    };
    for (size_t i = 0; i < sizeof aggregates / sizeof aggregates[0]; i++) {
        if (isnan(aggregates[i].value))
            continue;
        json_t *entry = named_entry(result, aggregates[i].name, family);
        json_put(entry, "aggregate_name", json_string(aggregates[i].name));
        json_put(entry, "aggregate_unit", json_string(aggregates[i].unit));
        put_times(entry, options, (int64_t)count, aggregates[i].value);
        json_array_append_new(benchmarks, entry);
    }
}

/* compare.py crashes on an entry without times, and its overall mean breaks on times of zero: rows that were not
 * measured go to a list of their own. `medians_s` has room for one per round. */
static void append_row(const struct options *options, const struct rounds *rounds, size_t family, double *medians_s,
                       json_t *benchmarks, json_t *unmeasured)
{
    size_t count = 0;
    bool has_aggregates = rounds->items[0]->round_count > 1;
    for (size_t i = 0; i < rounds->count; i++) {
        const struct result *result = rounds->items[i];
        bool is_measured = result_is_measured(result);
        if (!is_measured || !has_aggregates || !options->aggregates_only)
            json_array_append_new(is_measured ? benchmarks : unmeasured, entry_of(options, result, family));
        if (is_measured)
            medians_s[count++] = result->statistics.median;
    }
    if (count > 0 && has_aggregates)
        append_aggregates(options, benchmarks, rounds->items[0], family, medians_s, count);
}

static void append_rows(const struct options *options, const struct result_list *results, json_t *benchmarks,
                        json_t *unmeasured)
{
    double *medians_s = memory_get(results->count, sizeof *medians_s);
    const struct result **sorted = rounds_sorted(results);
    struct rounds rounds;
    size_t family = 0;
    for (size_t i = 0; i < results->count; i += rounds.count) {
        rounds = rounds_at(sorted, results->count, i);
        append_row(options, &rounds, family++, medians_s, benchmarks, unmeasured);
    }
    free(sorted);
    free(medians_s);
}

static json_t *device_names(const struct result_list *results)
{
    json_t *names = json_array();
    for (const struct result *row = results->items; row < results->items + results->count; row++) {
        const struct result *first = results->items;
        if (!row->device)
            continue;
        while (!first->device || strcmp(first->device->name, row->device->name) != 0)
            first++;
        if (first == row)
            json_array_append_new(names, json_text(row->device->name));
    }
    return names;
}

static void put_pair(json_t *to, char *pair)
{
    char *value = strchr(pair, '=');
    *value++ = '\0';
    json_t *key = json_text(pair);
    if (!json_object_get(to, json_string_value(key))) /* which readers rely on */
        json_put(to, json_string_value(key), json_text(value));
    json_decref(key);
}

/* What --benchmark_context adds. */
static void put_extra(json_t *context, const char *const *lists)
{
    for (; *lists; lists++) {
        char *list = memory_print("%s", *lists), *rest;
        for (char *pair = strtok_r(list, ",", &rest); pair; pair = strtok_r(NULL, ",", &rest))
            put_pair(context, pair);
        free(list);
    }
}

#define CPU0 "/sys/devices/system/cpu/cpu0/"

/* 0: unknown. */
static long long mhz_per_cpu(void)
{
    char khz[32];
    host_read_line(CPU0 "cpufreq/cpuinfo_max_freq", khz, sizeof khz);
    return (atoll(khz) + 500) / 1000;
}

static bool is_scaling_enabled(void)
{
    char governor[64];
    host_read_line(CPU0 "cpufreq/scaling_governor", governor, sizeof governor);
    return governor[0] && strcmp(governor, "performance") != 0;
}

/* How many CPUs a mask of hexadecimal digits names. */
static int count_cpus(const char *mask)
{
    int count = 0;
    for (; *mask; mask++)
        if (*mask != ',')
            count += __builtin_popcountl(strtoul((char[]){*mask, '\0'}, NULL, 16));
    return count;
}

static void read_of_cache(char *line, size_t size, int index, const char *what)
{
    char path[128];
    snprintf(path, sizeof path, CPU0 "cache/index%d/%s", index, what);
    host_read_line(path, line, size);
}

static json_t *cache_json(int index, const char *type)
{
    char level[16], size[32], mask[4096], *unit;
    read_of_cache(level, sizeof level, index, "level");
    read_of_cache(size, sizeof size, index, "size");
    read_of_cache(mask, sizeof mask, index, "shared_cpu_map");
    long long bytes = strtoll(size, &unit, 10) * (*unit == 'K' ? 1 << 10 : *unit == 'M' ? 1 << 20 : 1);
    return json_pack("{s:s, s:i, s:I, s:i}", "type", type, "level", atoi(level), "size", (json_int_t)bytes,
                     "num_sharing", count_cpus(mask));
}

static json_t *caches(void)
{
    char type[64];
    json_t *list = json_array();
    for (int i = 0; read_of_cache(type, sizeof type, i, "type"), type[0]; i++)
        json_array_append_new(list, cache_json(i, type));
    return list;
}

static json_t *load_average(void)
{
    double loads[3];
    json_t *list = json_array();
    for (int i = 0, known = getloadavg(loads, 3); i < known; i++)
        json_array_append_new(list, json_real(loads[i]));
    return list;
}

/* What Google Benchmark writes of the machine; readers take each key for granted. */
static void put_host(json_t *context)
{
    JSON_PUT(context, {"num_cpus", json_integer(host_processors())}, {"mhz_per_cpu", json_integer(mhz_per_cpu())},
             {"cpu_scaling_enabled", json_boolean(is_scaling_enabled())}, {"caches", caches()},
             {"load_avg", load_average()});
}

static json_t *context_of(const struct result_list *results, const char *program, const struct options *options)
{
    json_t *context = json_object();
    if (results->count > 0)
        put_columns(context, JSON_IN_CONTEXT, &results->items[0]);
    json_put(context, "executable", json_known(program));
    put_host(context);
    JSON_PUT(context, {"library_version", json_string(RUNGBENCH_VERSION)},
             {"library_build_type", json_string("release")}, {"json_schema_version", json_integer(1)},
             {"devices", device_names(results)});
    put_extra(context, options->context);
    return context;
}

static void print_document(FILE *to, const void *document)
{
    (void)json_dumpf(document, to, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    fputc('\n', to);
}

bool report_json(const struct result_list *results, const char *program, const struct options *options,
                 struct output *output, struct error *error)
{
    json_t *benchmarks = json_array(), *unmeasured = json_array();
    append_rows(options, results, benchmarks, unmeasured);
    json_t *document = JSON_OBJECT({"context", context_of(results, program, options)}, {"benchmarks", benchmarks},
                                   {"not_measured", unmeasured});
    bool ok = output_print(output, print_document, document, error);
    if (results->count == 0)
        output->preamble = output->whole;
    json_decref(document);
    return ok;
}
