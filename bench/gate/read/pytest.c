/* pytest-benchmark's JSON: a benchmark has the seconds of each of its rounds, all of one process. Without them
 * (--benchmark-save without --benchmark-save-data) the least of them is left. */
#include "read.h"

static bool read_benchmark(const struct reading *reading, json_t *benchmark)
{
    struct measured measured = {NULL};
    json_t *data = NULL;
    double least = 0;
    measured.host = json_string_value(json_object_get(json_object_get(reading->json, "machine_info"), "node"));
    return reading_unpack(reading, benchmark, "{s:s, s:{s?o, s:F}}", "fullname", &measured.name, "stats", "data", &data,
                          "min", &least) &&
           reading_take_times(reading, data, least, measured);
}

const struct reader pytest_reader = {.about = "pytest-benchmark's JSON",
                                     .marks = {"machine_info", "benchmarks"},
                                     .array = "benchmarks",
                                     .take = read_benchmark};
