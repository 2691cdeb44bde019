/* A rung that no list names: work of a backend itself, which the modes time as they time any rung. */
#ifndef RUNGBENCH_BUILTIN_RUNG_H
#define RUNGBENCH_BUILTIN_RUNG_H

#include "bench/base/host.h"
#include "bench/place/devices.h"
#include "measure.h"

struct builtin_rung {
    rung_function *run;
    const void *problem; /* of at most OP_PROBLEM_BYTES_MAX bytes; copied */
    size_t problem_bytes;
    const struct buffers *buffers; /* what modes empty the caches of, and copy; NULL: nothing */
    void *const *host;             /* the buffers' host copies, for modes that copy */
    bool evict_by_writing;
};

/* As measure_row(): NULL, or what went wrong; the measurement is to be freed in either case. */
const char *builtin_rung_measure(const struct builtin_rung *builtin, const struct device *device,
                                 const struct mode *mode, const struct host_clock *clock, double min_time_s,
                                 struct measurement *measurement);

#endif
