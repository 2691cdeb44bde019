/* Google Benchmark's JSON: an entry per benchmark and repetition, whose real time is a mean of its iterations (with
 * manual time, of what the benchmark said), and aggregates of them, which are left out. */
#include "read.h"

#include <string.h>

/* Seconds; 0: no such unit. */
static double unit_of(const char *name)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(name, units[i].name) == 0)
            return units[i].seconds;
    return 0;
}

static bool read_entry(const struct reading *reading, json_t *entry)
{
    const char *name, *type = "iteration", *unit = "", *message = "", *why = "";
    int failed = 0, skipped = 0;
    json_int_t repetition = (json_int_t)reading->place;
    if (!reading_unpack(reading, entry, "{s:s, s?s, s?s, s?s, s?b, s?b, s?I}", "name", &name, "run_type", &type,
                        "error_message", &message, "skip_message", &why, "error_occurred", &failed, "skipped", &skipped,
                        "repetition_index", &repetition))
        return false;
    if (strcmp(type, "aggregate") == 0)
        return true;
    if (strcmp(type, "iteration") != 0)
        return reading_refuse(reading, "run_type is '%.40s', expected iteration or aggregate", type);
    if (repetition < 0 || repetition > 1000000000)
        return reading_refuse(reading, "repetition_index is %lld, expected 0 to 1e9", (long long)repetition);
    struct measured measured = {.name = name, .round = (long)repetition};
    measured.host = json_string_value(json_object_get(json_object_get(reading->json, "context"), "host_name"));
    double time = 0;
    if (failed || skipped) {
        measured.status = failed ? STATUS_FAILED : STATUS_SKIPPED;
        measured.reason = failed ? message : why;
        return reading_take(reading, &measured);
    }
    if (!reading_unpack(reading, entry, "{s:F, s:s}", "real_time", &time, "time_unit", &unit))
        return false;
    const double seconds = unit_of(unit);
    if (seconds == 0)
        return reading_refuse(reading, "time_unit is '%.40s', expected ns, us, ms or s", unit);
    return reading_take_times(reading, NULL, time * seconds, measured);
}

const struct reader google_reader = {.about = "repetitions in Google Benchmark's JSON",
                                     .marks = {"context", "benchmarks"},
                                     .array = "benchmarks",
                                     .take = read_entry};
