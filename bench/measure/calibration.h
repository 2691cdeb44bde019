/* Accuracy of the timer: times a builtin rung that spins for a set time on the device's own counter, in every mode. */
#pragma once

#include "builtin_rung.h"

#include <stdint.h>
#include <stdio.h>

/* The spinning rung and its problem. */
struct spin_problem {
    const struct backend *backend;
    int64_t nanoseconds; /* BACKEND_NO_SPIN: an empty kernel */
};
rung_function calibration_spin;

/* Times a kernel that spins for `nanoseconds`: t(n) is the interquartile mean of the samples, since a median would snap
 * to a tick. NULL, or an error message. */
const char *calibration_time(const struct device *device, const struct mode *mode, int64_t nanoseconds,
                             const struct host_clock *clock, double min_time_s, double *time_s);

/* Prints for each mode of each usable device: the time of an empty kernel; t(0), the time of a kernel that reads the
 * clock and exits; and t(n) - t(0) for n from 1 to 1000 us. The tolerance is the largest of 1 % of n, two ticks of the
 * timer, and the mode's resolution. False: a difference is not n within the tolerance, or was not measured; the output
 * says which. */
bool calibration_print(const struct devices *devices, const struct host_clock *clock, double min_time_s, FILE *to);
