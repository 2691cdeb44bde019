#define _GNU_SOURCE /* getloadavg() */
#include "bench/base/csv_text.h"
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

static double per_call(const struct options *options, double time_s)
{
    return units[options->time_unit].per_s * time_s;
}

static void put_times(json_t *entry, const struct options *options, int64_t iterations, double real, double cpu)
{
    JSON_PUT(entry, {"iterations", json_integer(iterations)}, {"real_time", json_number(real)},
             {"cpu_time", json_number(cpu)}, {"time_unit", json_string(units[options->time_unit].name)});
}

static void put_columns(json_t *to, enum json_place place, const struct result *result)
{
    for (const struct column *column = result_columns; column < result_columns + RESULT_COLUMNS; column++)
        if (column->json == place)
            json_put(to, column->key ? column->key : column->name, column_json(column, result));
}

static void put_pairs(json_t *to, const char *list, json_t *(*value_of)(const char *text))
{
    char *pairs = memory_print("%s", list), *rest;
    for (char *pair = strtok_r(pairs, ",", &rest); pair; pair = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(pair, '=');
        *value++ = '\0';
        json_t *key = json_text(pair);
        json_put(to, json_string_value(key), value_of(value));
        json_decref(key);
    }
    free(pairs);
}

static json_t *number_of(const char *text)
{
    return json_number(strtod(text, NULL));
}

/* As Google Benchmark does it, a row without a time is there all the same, and says so; its times are zeros. */
static json_t *entry_of(const struct options *options, const struct result *result, size_t family)
{
    json_t *entry = named_entry(result, NULL, family);
    if (result_is_measured(result)) {
        put_times(entry, options, result->iterations, per_call(options, result->statistics.median),
                  per_call(options, result->cpu_s));
        json_put(entry, "bytes_per_second", json_number(1e9 * result->bandwidth_gbs));
    } else {
        bool has_failed = result->status == STATUS_FAILED;
        json_put(entry, has_failed ? "error_occurred" : "skipped", json_true());
        json_put(entry, has_failed ? "error_message" : "skip_message",
                 json_text(result->status == STATUS_OK ? "verified, not timed" : result->reason));
        put_times(entry, options, 0, 0, 0);
    }
    put_columns(entry, JSON_IN_ENTRY, result);
    put_pairs(entry, result->counters, number_of);
    return entry;
}

enum { MEAN, MEDIAN, STDDEV, CV, AGGREGATES };

/* The spread is of two values already, other than ours. */
static void aggregate(const struct options *options, double *values_s, size_t count, double figures[AGGREGATES])
{
    const struct statistics s = statistics_of(values_s, count);
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (values_s[i] - s.mean) * (values_s[i] - s.mean);
    const double stddev_s = sqrt(squares / (double)(count - 1));
    figures[MEAN] = per_call(options, s.mean);
    figures[MEDIAN] = per_call(options, s.median);
    figures[STDDEV] = per_call(options, stddev_s);
    figures[CV] = s.mean > 0 ? stddev_s / s.mean : 0; /* a share of 1, although its unit is a percentage */
}

static void append_aggregates(const struct options *options, json_t *benchmarks, const struct result *result,
                              size_t family, double *times_s[2], size_t count)
{
    static const char *const names[AGGREGATES] = {"mean", "median", "stddev", "cv"};
    double real[AGGREGATES], cpu[AGGREGATES];
    aggregate(options, times_s[0], count, real);
    aggregate(options, times_s[1], count, cpu);
    for (int i = 0; i < AGGREGATES; i++) {
        json_t *entry = named_entry(result, names[i], family);
        JSON_PUT(entry, {"aggregate_name", json_string(names[i])},
                 {"aggregate_unit", json_string(i == CV ? "percentage" : "time")});
        put_times(entry, options, (int64_t)count, real[i], cpu[i]);
        json_array_append_new(benchmarks, entry);
    }
}

/* `times_s` have room for one per round. */
static void append_row(const struct options *options, const struct rounds *rounds, bool aggregates_only, size_t family,
                       double *times_s[2], json_t *benchmarks)
{
    size_t count = 0;
    for (size_t i = 0; i < rounds->count; i++)
        if (result_is_measured(rounds->items[i])) {
            times_s[0][count] = rounds->items[i]->statistics.median;
            times_s[1][count++] = rounds->items[i]->cpu_s;
        }
    for (size_t i = 0; i < rounds->count && (count < 2 || !aggregates_only); i++)
        json_array_append_new(benchmarks, entry_of(options, rounds->items[i], family));
    if (count > 1)
        append_aggregates(options, benchmarks, rounds->items[0], family, times_s, count);
}

static json_t *rows_json(const struct options *options, const struct result_list *results, bool aggregates_only)
{
    double *times_s[] = {memory_get(results->count, sizeof(double)), memory_get(results->count, sizeof(double))};
    const struct result **sorted = rounds_sorted(results);
    struct rounds rounds;
    size_t family = 0;
    json_t *benchmarks = json_array();
    for (size_t i = 0; i < results->count; i += rounds.count) {
        rounds = rounds_at(sorted, results->count, i);
        append_row(options, &rounds, aggregates_only, family++, times_s, benchmarks);
    }
    free(sorted);
    free(times_s[0]);
    free(times_s[1]);
    return benchmarks;
}

static bool has_device_of(const struct result *other, const struct result *row)
{
    return other->device && strcmp(other->device->name, row->device->name) == 0;
}

static json_t *device_names(const struct result_list *results)
{
    json_t *names = json_array();
    for (const struct result *row = results->items; row < results->items + results->count; row++)
        if (row->device && result_is_first(results, row, has_device_of))
            json_array_append_new(names, json_text(row->device->name));
    return names;
}

#define CPU0 "/sys/devices/system/cpu/cpu0/"

/* What the clock may be, else what it is; 0: unknown. */
static long mhz_per_cpu(void)
{
    char khz[32], line[256];
    double mhz = 0;
    host_read_line(CPU0 "cpufreq/cpuinfo_max_freq", khz, sizeof khz);
    if (khz[0] != '\0')
        return lround(strtod(khz, NULL) * 1e-3);
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && mhz == 0 && fgets(line, sizeof line, file))
        (void)sscanf(line, "cpu MHz : %lf", &mhz);
    if (file)
        fclose(file);
    return lround(mhz);
}

static bool is_scaling_enabled(void)
{
    char governor[64];
    host_read_line(CPU0 "cpufreq/scaling_governor", governor, sizeof governor);
    return governor[0] && strcmp(governor, "performance") != 0;
}

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
#ifdef __OPTIMIZE__
    static const char build[] = "release";
#else
    static const char build[] = "debug";
#endif
    JSON_PUT(context, {"library_version", json_string(RUNGBENCH_VERSION)}, {"library_build_type", json_string(build)},
             {"json_schema_version", json_integer(1)}, {"devices", device_names(results)});
    if (options->dry_run)
        json_put(context, "dry_run", json_string("true"));
    put_pairs(context, options->context, json_text);
    return context;
}

static void print_json(FILE *to, const void *document)
{
    (void)json_dumpf(document, to, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    fputc('\n', to);
}

static void print_cell(FILE *to, const json_t *value)
{
    if (json_is_string(value))
        csv_put_text(to, json_string_value(value));
    else if (value)
        (void)json_dumpf(value, to, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
}

/* Without a time only the cells that say so are filled. */
static void print_csv_row(FILE *to, const json_t *entry)
{
    static const char *const keys[] = {"iterations",       "real_time",        "cpu_time", "time_unit",
                                       "bytes_per_second", "items_per_second", "label"};
    const json_t *failed = json_object_get(entry, "error_occurred"), *skipped = json_object_get(entry, "skipped");
    print_cell(to, json_object_get(entry, "name"));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        fputc(',', to);
        if (!failed && !skipped)
            print_cell(to, json_object_get(entry, keys[i]));
    }
    fputs(failed ? ",true," : skipped ? ",false," : ",,", to);
    print_cell(to, json_object_get(entry, failed ? "error_message" : "skip_message"));
    fputc('\n', to);
}

static void print_csv(FILE *to, const void *document)
{
    const json_t *benchmarks = json_object_get(document, "benchmarks");
    fputs("name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,"
          "error_message\n",
          to);
    for (size_t i = 0; i < json_array_size(benchmarks); i++)
        print_csv_row(to, json_array_get(benchmarks, i));
}

bool report_google(const struct result_list *results, const char *program, const struct options *options,
                   struct google_form form, struct output *output, struct error *error)
{
    json_t *benchmarks = rows_json(options, results, form.aggregates_only);
    json_t *document = JSON_OBJECT({"context", context_of(results, program, options)}, {"benchmarks", benchmarks});
    bool ok = output_print(output, form.is_csv ? print_csv : print_json, document, error);
    if (results->count == 0)
        output->preamble = output->whole;
    json_decref(document);
    return ok;
}
