#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double quantile(const double *sorted, size_t count, double p)
{
    double place = p * (double)(count - 1);
    size_t below = (size_t)place;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* The largest r for which P(fewer than r heads in `count` fair coin tosses) <= 0.025. The r-th smallest and the r-th
 * largest sample then enclose the median with a confidence of at least 95 %. */
static size_t interval_rank(size_t count)
{
    double n = (double)count, below = 0;
    size_t rank = 0;
    while (rank < count / 2) {
        double k = (double)rank;
        below += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * log(2));
        if (below > 0.025)
            break;
        rank++;
    }
    return rank;
}

struct statistics statistics_of(double *samples, size_t count)
{
    struct statistics s = {count, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (count == 0)
        return s;
    qsort(samples, count, sizeof *samples, ascending);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += samples[i];
    s.min = samples[0];
    s.max = samples[count - 1];
    s.median = quantile(samples, count, 0.5);
    s.mean = sum / (double)count;
    if (count >= STATISTICS_MIN_FOR_SPREAD) {
        double squares = 0;
        for (size_t i = 0; i < count; i++)
            squares += (samples[i] - s.mean) * (samples[i] - s.mean);
        s.stdev = sqrt(squares / (double)(count - 1));
        s.q1 = quantile(samples, count, 0.25);
        s.q3 = quantile(samples, count, 0.75);
    }
    if (count >= STATISTICS_MIN_FOR_INTERVAL) {
        size_t rank = interval_rank(count);
        s.ci_low = samples[rank - 1];
        s.ci_high = samples[count - rank];
    }
    return s;
}

double statistics_median(const double *values, size_t count, double *scratch)
{
    memmove(scratch, values, count * sizeof *values);
    return statistics_of(scratch, count).median;
}

double statistics_midmean(double *samples, size_t count)
{
    size_t first = count / 4, end = count - count / 4;
    double sum = 0;
    qsort(samples, count, sizeof *samples, ascending);
    for (size_t i = first; i < end; i++)
        sum += samples[i];
    return end > first ? sum / (double)(end - first) : (double)NAN;
}
