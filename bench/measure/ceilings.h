/* The least time a row can take: the time that the device needs for the row's bytes, operations or transfers, measured
 * in the same run, in the row's mode and at the row's size. */
#pragma once

#include "bench/place/device_problem.h"
#include "builtin_rung.h"

struct ceiling_entry;

/* The measurements, each made once per run. */
struct ceilings {
    const struct host_clock *clock;
    bool evict_by_writing; /* the same as for the rows */
    struct ceiling_entry *entries;
    size_t count;
};

/* The row for which a floor is asked. */
struct ceiling_question {
    const struct device *device;
    const struct mode *mode;
    struct op_cost cost;
    enum precision precision;
    struct device_problem *device_problem; /* the row's buffers, for modes that transfer */
};

struct time_floor {
    double seconds;      /* NAN: unknown */
    const char *ceiling; /* what limits it: "read", "copy", "fma", "transfer"; empty if unknown */
};

/* The floor of a row: the larger of the least time to move its bytes (by reading all, or by copying half of them,
 * whichever is faster) and, for FP32, the least time for its operations. In modes with transfers it is the least time
 * of the transfers. */
struct time_floor ceilings_floor(struct ceilings *ceilings, const struct ceiling_question *question);

/* The same, after measuring the ceilings once more and for longer; the best time so far counts. */
struct time_floor ceilings_floor_again(struct ceilings *ceilings, const struct ceiling_question *question);

/* The time of an empty kernel in this mode, in seconds; NAN if unknown. */
double ceilings_empty_kernel(struct ceilings *ceilings, const struct device *device, const struct mode *mode);

/* The best rate of this kind, in bytes or operations per second; NAN if unknown. Reads and copies are of `bytes`. */
double ceilings_rate(struct ceilings *ceilings, const struct device *device, const struct mode *mode,
                     enum ceiling_kind kind, double bytes);

void ceilings_free(struct ceilings *ceilings);
