/* hyperfine's JSON: a result per command, with the time of each of its processes; of one that failed it is no time. */
#include "read.h"

#include <stdio.h>

static bool read_result(const struct reading *reading, json_t *result)
{
    struct measured measured = {NULL};
    json_t *times = NULL, *codes = NULL, *code;
    double mean = 0;
    char reason[80];
    size_t run;
    if (!reading_unpack(reading, result, "{s:s, s?o, s?F, s?o}", "command", &measured.name, "times", &times, "mean",
                        &mean, "exit_codes", &codes))
        return false;
    json_array_foreach(codes, run, code)
    {
        if (json_number_value(code) == 0)
            continue;
        snprintf(reason, sizeof reason, "exit status %g of run %zu", json_number_value(code), run);
        measured.status = STATUS_FAILED;
        measured.reason = reason;
        return reading_take(reading, &measured);
    }
    return reading_take_times(reading, times, mean, measured);
}

const struct reader hyperfine_reader = {
    .about = "hyperfine's JSON", .marks = {"results", "results"}, .array = "results", .take = read_result};
