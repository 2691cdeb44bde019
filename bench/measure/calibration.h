/* The backend's own work, timed by the modes like any rung; and by it the accuracy of the timer, from kernels that spin
 * for a set time on the device's own counter. */
#pragma once

#include "bench/base/host.h"
#include "bench/place/devices.h"
#include "measure.h"

#include <stdint.h>
#include <stdio.h>

/* Where it is timed. */
struct bench {
    const struct device *device;
    const struct host_clock *clock;
    bool evict_by_writing;
    const struct buffers *buffers; /* what modes evict from the caches and transfer; NULL: nothing */
    void *const *host;             /* pinned copies on the host, for modes that transfer */
    double min_time_s;
};

/* As measure_row(), of a function that is not in the table. The problem, of at most OP_PROBLEM_BYTES_MAX bytes, is
 * copied. */
const char *bench_measure(const struct bench *bench, const struct mode *mode, rung_function *run, const void *problem,
                          size_t problem_bytes, struct measurement *measurement);

/* A spinning kernel, and its problem. */
struct spin_problem {
    const struct backend *backend;
    int64_t nanoseconds; /* BACKEND_NO_SPIN: an empty kernel */
};
rung_function calibration_spin;

/* Prints for each mode of each usable device: the time of an empty kernel; t(0), the time of a kernel that reads the
 * clock and exits; and t(n) - t(0) for n from 1 to 1000 us. The tolerance is the largest of 1 % of n, two ticks of the
 * timer, and the mode's resolution. False: a difference is not n within the tolerance, or was not measured; the output
 * says which. */
bool calibration_print(const struct devices *devices, const struct host_clock *clock, double min_time_s, FILE *to);
