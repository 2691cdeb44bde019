/* Summary statistics of a set of samples. */
#pragma once

#include <stddef.h>

enum {
    STATISTICS_MIN_FOR_SPREAD = 5,   /* with fewer samples the spread is unknown */
    STATISTICS_MIN_FOR_INTERVAL = 6, /* fewer samples have no 95 % interval: 2^-5 > 0.025 */
};

/* NAN: unknown. In the samples' unit. */
struct statistics {
    size_t count;
    double min, q1, median, q3, max, mean, stdev;
    double ci_low, ci_high; /* 95 % confidence interval of the median */
};

/* Sorts `samples`. Quartiles interpolate between neighbouring samples (Hyndman and Fan, "Sample quantiles in
 * statistical packages", The American Statistician 50, 1996, type 7). The confidence interval is distribution-free: its
 * ends are two of the samples (W. J. Conover, "Practical Nonparametric Statistics", 3rd ed., section 3.2). */
struct statistics statistics_of(double *samples, size_t count);

/* The median alone. `scratch` has room for as many. NAN if there are none. */
double statistics_median(const double *values, size_t count, double *scratch);

/* The interquartile mean: the mean of the middle half of the samples. It is nearly as robust as the median. A median
 * snaps to a tick of the timer; this mean resolves less than a tick when the samples fall on several ticks. Sorts
 * `samples`; NAN if there are none. */
double statistics_midmean(double *samples, size_t count);
