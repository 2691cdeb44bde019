/* Measures what a device can do at best: the least time for a row's bytes, operations or transfers, in the same run, in
 * the row's mode and at the row's size. */
#pragma once

#include "calibration.h"
#include "ceiling_table.h"

/* Times what sets a ceiling, in its mode on a struct bench: of its variants the fastest, or the one that `ceiling`
 * names, if it is not negative. Sets seconds and variant. */
void ceiling_time(void *bench, double min_time_s, struct ceiling *ceiling);

struct ceilings {
    /* ceiling_time(), or the like on the device of the ceiling's backend; `self` is the next member. */
    void (*time)(void *self, double min_time_s, struct ceiling *ceiling);
    void *self;
    struct ceiling_table table; /* what was measured so far */
};

/* How thorough a measurement is. */
enum ceiling_care {
    CEILING_ONCE,  /* only what was not measured yet */
    CEILING_AGAIN, /* once more, and for longer: the first time may have been disturbed */
    CEILING_LAST,  /* once more, briefly, and only what was the fastest way */
};

/* Measures the ceilings that a row needs. */
void ceilings_measure(struct ceilings *ceilings, const struct floor_question *question, enum ceiling_care care);

/* Measures all known ceilings a last time, but for transfers: their buffers are no longer there. */
void ceilings_measure_last(struct ceilings *ceilings);

/* The time of an empty kernel in this mode, in seconds; NAN if unknown. */
double ceilings_empty_kernel(struct ceilings *ceilings, const char *backend, const struct mode *mode);

/* The best rate of this kind, in bytes or operations per second; NAN if unknown. Reads and copies are of `bytes`. */
double ceilings_rate(struct ceilings *ceilings, const char *backend, const struct mode *mode, enum ceiling_kind kind,
                     double bytes);

void ceilings_free(struct ceilings *ceilings);
