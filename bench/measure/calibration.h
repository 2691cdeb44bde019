/* What the timer is worth: a builtin rung that is busy for a set time by the device's own counter, in every mode. */
#ifndef RUNGBENCH_CALIBRATION_H
#define RUNGBENCH_CALIBRATION_H

#include "builtin_rung.h"

#include <stdint.h>
#include <stdio.h>

/* The builtin rung and its problem. */
struct spin_problem {
    const struct backend *backend;
    int64_t nanoseconds; /* BACKEND_NO_SPIN: an empty kernel */
};
rung_function calibration_spin;

/* Times a kernel that is busy for so long: t(n), the midmean of the samples, since a median falls on a
 * tick. NULL, or what went wrong. */
const char *calibration_time(const struct device *device, const struct mode *mode, int64_t nanoseconds,
                             const struct host_clock *clock, double min_time_s, double *time_s);

/* Prints for each mode of each usable device the empty kernel's time, that of a kernel that looks at the clock and
 * ends, t(0), and t(n) - t(0) for n from 1 to 1000 us, which should be n within 1 %, or two ticks of the timer, or what
 * the mode can tell apart at all, whichever is most. False where one is not, or could not be measured; that is printed
 * too. */
bool calibration_print(const struct devices *devices, const struct host_clock *clock, double min_time_s, FILE *to);

#endif
