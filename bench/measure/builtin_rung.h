/* A rung that is not in the table: work of the backend itself, timed by the modes like any other rung. */
#pragma once

#include "bench/base/host.h"
#include "bench/place/devices.h"
#include "measure.h"

struct builtin_rung {
    rung_function *run;
    const void *problem; /* at most OP_PROBLEM_BYTES_MAX bytes; copied */
    size_t problem_bytes;
    const struct buffers *buffers; /* what modes evict from the caches and transfer; NULL: nothing */
    void *const *host;             /* host copies of the buffers, for modes that transfer */
    bool evict_by_writing;
};

/* As measure_row(): returns NULL or an error message; free the measurement in either case. */
const char *builtin_rung_measure(const struct builtin_rung *builtin, const struct device *device,
                                 const struct mode *mode, const struct host_clock *clock, double min_time_s,
                                 struct measurement *measurement);
