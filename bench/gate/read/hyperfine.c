/* hyperfine's JSON: a result per command, with the time of each of its processes. */
#include "read.h"

static bool knows(const struct reading *reading)
{
    return json_object_get(reading->json, "results") != NULL;
}

static bool read_result(const struct reading *reading, size_t place, json_t *result)
{
    struct measured measured = {NULL};
    json_t *times = NULL;
    double mean = 0;
    return reading_unpack(reading, "results", place, result, "{s:s, s?o, s?F}", "command", &measured.name, "times",
                          &times, "mean", &mean) &&
           reading_take_times(reading, "results", place, times, mean, measured);
}

static bool read_hyperfine(struct reading *reading)
{
    return reading_each(reading, "results", read_result);
}

const struct reader hyperfine_reader = {"hyperfine's JSON", knows, read_hyperfine};
