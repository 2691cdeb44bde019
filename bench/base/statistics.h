/* What a set of samples says. */
#ifndef RUNGBENCH_STATISTICS_H
#define RUNGBENCH_STATISTICS_H

#include <stddef.h>

enum {
    STATISTICS_MIN_FOR_SPREAD = 5,   /* fewer samples say nothing about spread */
    STATISTICS_MIN_FOR_INTERVAL = 6, /* fewer cannot have a 95 % interval: 2^-5 > 0.025 */
};

/* NAN: unknown. Units are the samples'. */
struct statistics {
    size_t count;
    double min, q1, median, q3, mean, stdev;
    double ci_low, ci_high; /* 95 % confidence interval of the median */
};

/* Sorts `samples`. Quartiles interpolate between neighbours (Hyndman and Fan, "Sample quantiles in statistical
 * packages", The American Statistician 50, 1996, type 7). The interval is the distribution-free one between two order
 * statistics (W. J. Conover, "Practical Nonparametric Statistics", 3rd ed., section 3.2). */
struct statistics statistics_of(double *samples, size_t count);

/* The mean of the samples between the quartiles: as robust as the median nearly, but where a timer's tick is coarse and
 * the samples fall on several ticks, it tells less than a tick apart. Sorts `samples`; NAN if there are none. */
double statistics_midmean(double *samples, size_t count);

#endif
