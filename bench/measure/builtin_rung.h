/* A rung that no list names: work of a backend itself, which the modes time as they time any rung. */
#ifndef RUNGBENCH_HIDDEN_RUNG_H
#define RUNGBENCH_HIDDEN_RUNG_H

#include "bench/place/devices.h"
#include "measure.h"

struct hidden_rung {
    rung_function *run;
    const void *problem; /* of at most OP_PROBLEM_BYTES_MAX bytes; copied */
    size_t problem_bytes;
    const struct buffers *buffers; /* what modes empty the caches of, and copy; NULL: nothing */
    void *const *host;             /* the buffers' host copies, for modes that copy */
    bool evict_by_writing;
};

/* What the harness times with. */
struct host_clock {
    double (*now)(void); /* seconds */
    int (*interrupted)(void);
};

/* As measure_row(): NULL, or what went wrong; the measurement is to be freed in either case. */
const char *hidden_rung_measure(const struct hidden_rung *hidden, const struct device *device, const struct mode *mode,
                                const struct host_clock *clock, double min_time_s, struct measurement *measurement);

#endif
