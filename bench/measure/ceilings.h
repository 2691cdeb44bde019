/* Measures what a device can do at best: the least time for a row's bytes, operations or transfers, in the same run, in
 * the row's mode and at the row's size. */
#pragma once

#include "bench/place/device_problem.h"
#include "builtin_rung.h"
#include "ceiling_table.h"

struct ceilings {
    const struct host_clock *clock;
    bool evict_by_writing;      /* the same as for the rows */
    struct ceiling_table table; /* what was measured so far */
    /* Gets each measurement; NULL: nobody does. */
    void (*tell)(void *self, const struct ceiling *measured);
    void *self;
};

/* How thorough a measurement is. */
enum ceiling_care {
    CEILING_ONCE,  /* only what was not measured yet */
    CEILING_AGAIN, /* once more, and for longer: the first time may have been disturbed */
    CEILING_LAST,  /* once more, briefly, and only what was the fastest way */
};

/* Measures the ceilings that a row needs. `device_problem`: the row's buffers, for modes that transfer. */
void ceilings_measure(struct ceilings *ceilings, const struct device *device, const struct floor_question *question,
                      struct device_problem *device_problem, enum ceiling_care care);

/* Measures all known ceilings of the device a last time, but for transfers: their buffers are no longer there. */
void ceilings_measure_last(struct ceilings *ceilings, const struct device *device);

/* The time of an empty kernel in this mode, in seconds; NAN if unknown. */
double ceilings_empty_kernel(struct ceilings *ceilings, const struct device *device, const struct mode *mode);

/* The best rate of this kind, in bytes or operations per second; NAN if unknown. Reads and copies are of `bytes`. */
double ceilings_rate(struct ceilings *ceilings, const struct device *device, const struct mode *mode,
                     enum ceiling_kind kind, double bytes);

void ceilings_free(struct ceilings *ceilings);
