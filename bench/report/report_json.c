#define _GNU_SOURCE /* getloadavg() */
#include "bench/base/host.h"
#include "bench/base/json_text.h"
#include "merge_rounds.h"
#include "reporter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rounds are Google Benchmark's repetitions. Each row is a family of its own; the index keeps its entries together. */
static bool put_identity(json_t *entry, const struct result *result, const char *aggregate, size_t family)
{
    char name[sizeof result->name + 16];
    snprintf(name, sizeof name, "%s%s%s", result->name, aggregate ? "_" : "", aggregate ? aggregate : "");
    return json_put_text(entry, "name", name) && json_put(entry, "family_index", json_integer((json_int_t)family)) &&
           json_put(entry, "per_family_instance_index", json_integer(0)) &&
           json_put_text(entry, "run_name", result->name) &&
           json_put_text(entry, "run_type", aggregate ? "aggregate" : "iteration") &&
           json_put(entry, "repetitions", json_integer(result->round_count)) &&
           (aggregate || json_put(entry, "repetition_index", json_integer(result->round))) &&
           json_put(entry, "threads",
                    json_integer(result->device && result->device->threads > 0 ? result->device->threads : 1));
}

static const struct {
    const char *name;
    double per_s;
} units[] = {{"ns", 1e9}, {"us", 1e6}, {"ms", 1e3}, {"s", 1}};

/* Readers compare real_time and cpu_time. GPU work has no CPU time, so both are the elapsed time. */
static bool put_times(json_t *entry, const struct options *options, int64_t iterations, double time)
{
    return json_put(entry, "iterations", json_integer(iterations)) && json_put_number(entry, "real_time", time) &&
           json_put_number(entry, "cpu_time", time) &&
           json_put_text(entry, "time_unit", units[options->time_unit].name);
}

static bool put_columns(json_t *to, enum json_place place, const struct result *result)
{
    bool ok = true;
    for (size_t i = 0; i < RESULT_COLUMNS && ok; i++)
        ok = result_columns[i].json != place ||
             json_put_column(to, result_columns[i].key ? result_columns[i].key : result_columns[i].name,
                             &result_columns[i], result);
    return ok;
}

static bool put_status(json_t *entry, const struct result *result)
{
    if (result->status == STATUS_FAILED)
        return json_put(entry, "error_occurred", json_true()) && json_put_text(entry, "error_message", result->reason);
    if (result->status == STATUS_SKIPPED)
        return json_put(entry, "skipped", json_true()) && json_put_text(entry, "skip_message", result->reason);
    return true;
}

static json_t *entry_of(const struct options *options, const struct result *result, size_t family)
{
    json_t *entry = json_object();
    double time = units[options->time_unit].per_s * result->statistics.median;
    bool ok = put_identity(entry, result, NULL, family) && put_status(entry, result) &&
              (!result_is_measured(result) || put_times(entry, options, result->iterations, time)) &&
              put_columns(entry, JSON_IN_ENTRY, result);
    return json_if(ok, entry);
}

/* Google Benchmark's statistics over repetitions; left out where there are too few rounds. */
static bool append_aggregates(const struct options *options, json_t *benchmarks, const struct result *result,
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
    bool ok = true;
    for (size_t i = 0; i < sizeof aggregates / sizeof aggregates[0] && ok; i++) {
        if (isnan(aggregates[i].value))
            continue;
        json_t *entry = json_object();
        ok = put_identity(entry, result, aggregates[i].name, family) &&
             json_put_text(entry, "aggregate_name", aggregates[i].name) &&
             json_put_text(entry, "aggregate_unit", aggregates[i].unit) &&
             put_times(entry, options, (int64_t)count, aggregates[i].value);
        ok = json_array_append_new(benchmarks, entry) == 0 && ok;
    }
    return ok;
}

/* compare.py crashes on an entry without times, and its overall mean breaks on times of zero: rows that were not
 * measured go to a list of their own. `medians_s` has room for one per round. */
static bool append_row(const struct options *options, const struct rounds *rounds, size_t family, double *medians_s,
                       json_t *benchmarks, json_t *unmeasured)
{
    size_t count = 0;
    bool has_aggregates = rounds->items[0]->round_count > 1;
    for (size_t i = 0; i < rounds->count; i++) {
        const struct result *result = rounds->items[i];
        bool is_measured = result_is_measured(result);
        bool is_left_out = is_measured && has_aggregates && options->aggregates_only;
        if (!is_left_out &&
            json_array_append_new(is_measured ? benchmarks : unmeasured, entry_of(options, result, family)) != 0)
            return false;
        if (is_measured)
            medians_s[count++] = result->statistics.median;
    }
    return count == 0 || !has_aggregates ||
           append_aggregates(options, benchmarks, rounds->items[0], family, medians_s, count);
}

static bool append_rows(const struct options *options, const struct result_list *results, json_t *benchmarks,
                        json_t *unmeasured)
{
    struct error ignored;
    double *medians_s = calloc(results->count + 1, sizeof *medians_s);
    const struct result **sorted = rounds_sorted(results, &ignored);
    bool ok = medians_s && sorted;
    size_t family = 0;
    for (const struct result *row = results->items; row < results->items + results->count && ok; row++) {
        const struct rounds rounds = rounds_of(sorted, results->count, row->name);
        if (rounds.items[0] == row)
            ok = append_row(options, &rounds, family++, medians_s, benchmarks, unmeasured);
    }
    free(sorted);
    free(medians_s);
    return ok;
}

/* Unless it is there. */
static bool append_once(json_t *list, json_t *text)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), text)) {
            json_decref(text);
            return true;
        }
    return json_array_append_new(list, text) == 0;
}

static json_t *device_names(const struct result_list *results)
{
    json_t *names = json_array();
    bool ok = true;
    for (size_t i = 0; i < results->count && ok; i++)
        ok = !results->items[i].device || append_once(names, json_text(results->items[i].device->name));
    return json_if(ok, names);
}

static bool put_pair(json_t *to, char *pair)
{
    char *value = strchr(pair, '=');
    *value++ = '\0';
    json_t *key = json_text(pair);
    bool ok = key && (json_object_get(to, json_string_value(key)) || /* which readers rely on */
                      json_put(to, json_string_value(key), json_text(value)));
    json_decref(key);
    return ok;
}

/* What --benchmark_context adds. */
static bool put_extra(json_t *context, const char *const *lists)
{
    bool ok = true;
    for (; *lists && ok; lists++) {
        char *list = strdup(*lists), *rest;
        ok = list;
        for (char *pair = ok ? strtok_r(list, ",", &rest) : NULL; pair && ok; pair = strtok_r(NULL, ",", &rest))
            ok = put_pair(context, pair);
        free(list);
    }
    return ok;
}

#define CPU0 "/sys/devices/system/cpu/cpu0/"

/* The line of a file that begins with these letters; empty: there is none. */
static void read_line(char *line, int size, const char *path, const char *begins)
{
    FILE *file = fopen(path, "re");
    bool found = false;
    while (file && !found && fgets(line, size, file))
        found = strncmp(line, begins, strlen(begins)) == 0;
    line[found ? strcspn(line, "\n") : 0] = '\0';
    if (file)
        fclose(file);
}

/* 0: unknown. */
static long long mhz_per_cpu(void)
{
    char line[256];
    read_line(line, sizeof line, CPU0 "cpufreq/cpuinfo_max_freq", "");
    if (line[0])
        return (atoll(line) + 500) / 1000;
    read_line(line, sizeof line, "/proc/cpuinfo", "cpu MHz");
    const char *value = strchr(line, ':');
    return value ? (long long)(strtod(value + 1, NULL) + 0.5) : 0;
}

static bool is_scaling_enabled(void)
{
    char governor[64];
    read_line(governor, sizeof governor, CPU0 "cpufreq/scaling_governor", "");
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

static void read_of_cache(char *line, int size, int index, const char *what)
{
    char path[128];
    snprintf(path, sizeof path, CPU0 "cache/index%d/%s", index, what);
    read_line(line, size, path, "");
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
    bool ok = true;
    for (int i = 0; ok; i++) {
        read_of_cache(type, sizeof type, i, "type");
        if (!type[0])
            break;
        ok = json_array_append_new(list, cache_json(i, type)) == 0;
    }
    return json_if(ok, list);
}

static json_t *load_average(void)
{
    double loads[3];
    json_t *list = json_array();
    bool ok = true;
    for (int i = 0, known = getloadavg(loads, 3); i < known && ok; i++)
        ok = json_array_append_new(list, json_real(loads[i])) == 0;
    return json_if(ok, list);
}

/* What Google Benchmark writes of the machine; readers take each key for granted. */
static bool put_host(json_t *context)
{
    return json_put(context, "num_cpus", json_integer(host_processors())) &&
           json_put(context, "mhz_per_cpu", json_integer(mhz_per_cpu())) &&
           json_put(context, "cpu_scaling_enabled", json_boolean(is_scaling_enabled())) &&
           json_put(context, "caches", caches()) && json_put(context, "load_avg", load_average());
}

static json_t *context_of(const struct result_list *results, const char *program, const struct options *options)
{
    json_t *context = json_object();
    bool ok = (results->count == 0 || put_columns(context, JSON_IN_CONTEXT, &results->items[0])) &&
              json_put_text(context, "executable", program) && put_host(context) &&
              json_put_text(context, "library_version", RUNGBENCH_VERSION) &&
              json_put_text(context, "library_build_type", "release") &&
              json_put(context, "json_schema_version", json_integer(1)) &&
              json_put(context, "devices", device_names(results)) && put_extra(context, options->context);
    return json_if(ok, context);
}

static json_t *document_of(const struct result_list *results, const char *program, const struct options *options)
{
    json_t *document = json_object(), *benchmarks = json_array(), *unmeasured = json_array();
    bool ok = append_rows(options, results, benchmarks, unmeasured);
    ok = json_put(document, "context", context_of(results, program, options)) && ok;
    ok = json_put(document, "benchmarks", benchmarks) && ok;
    ok = json_put(document, "not_measured", unmeasured) && ok;
    return json_if(ok, document);
}

bool report_json(const struct result_list *results, const char *program, const struct options *options,
                 struct output *output, struct error *error)
{
    const size_t flags = JSON_INDENT(2) | JSON_REAL_PRECISION(9);
    json_t *document = document_of(results, program, options);
    size_t bytes = document ? json_dumpb(document, NULL, 0, flags) : 0;
    char *text = malloc(bytes + 1); /* json_dumps() leaves out what it has no memory for */
    bool ok = text && bytes > 0 && json_dumpb(document, text, bytes, flags) == bytes;
    if (ok) {
        text[bytes] = '\n';
        ok = output_write(output, text, bytes + 1, error);
    } else {
        error_set(error, "%s: no memory for the document", output->path);
    }
    if (results->count == 0)
        output->preamble = output->whole;
    json_decref(document);
    free(text);
    return ok;
}
