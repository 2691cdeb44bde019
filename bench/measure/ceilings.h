/* How fast a row can be at best: what the device itself needs for the row's bytes, its operations, or its transfers,
 * measured in the same run, in the row's own mode and at its own size. */
#ifndef RUNGBENCH_CEILINGS_H
#define RUNGBENCH_CEILINGS_H

#include "bench/place/device_problem.h"
#include "builtin_rung.h"

struct ceiling_entry;

/* What has been measured, each once a run. */
struct ceilings {
    const struct host_clock *clock;
    bool evict_by_writing; /* as the rows do it */
    struct ceiling_entry *entries;
    size_t count;
};

/* What a floor is asked for. */
struct ceiling_question {
    const struct device *device;
    const struct mode *mode;
    struct op_cost cost;
    enum precision precision;
    struct device_problem *device_problem; /* the row's buffers on the device, for modes that transfer */
};

struct time_floor {
    double seconds;      /* NAN: unknown */
    const char *ceiling; /* what sets it: "read", "copy", "fma", "transfer"; empty if unknown */
};

/* The larger of the least time to move the row's bytes (the faster of reading so many, and of copying half of them)
 * and, for FP32, the least time for its operations; where transfers are part of the mode, the least time of these. */
struct time_floor ceilings_floor(struct ceilings *ceilings, const struct ceiling_question *question);

/* The same, after measuring once more, and for longer, what the floor depends on: the best ever seen counts. */
struct time_floor ceilings_floor_again(struct ceilings *ceilings, const struct ceiling_question *question);

/* What an empty kernel takes in this mode, in seconds; NAN if unknown. */
double ceilings_empty_kernel(struct ceilings *ceilings, const struct device *device, const struct mode *mode);

/* The best rate of this kind, in bytes or operations a second; NAN if unknown. For reads and copies of `bytes`. */
double ceilings_rate(struct ceilings *ceilings, const struct device *device, const struct mode *mode,
                     enum ceiling_kind kind, double bytes);

void ceilings_free(struct ceilings *ceilings);

#endif
