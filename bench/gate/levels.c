#include "levels.h"

#include "bench/base/statistics.h"

#include <math.h>
#include <stdlib.h>

enum { FEWEST = 2, SHARE = 10, TIMES_SPREAD = 3 };

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Where the widest gap is, of those that leave enough on either side; 0: nowhere. */
static size_t widest_gap(const double *sorted, size_t count)
{
    size_t fewest = count / SHARE > FEWEST ? count / SHARE : FEWEST, widest = 0;
    for (size_t i = fewest; i + fewest <= count; i++)
        if (widest == 0 || sorted[i] - sorted[i - 1] > sorted[widest] - sorted[widest - 1])
            widest = i;
    return widest;
}

bool levels_find(double *times_s, size_t count, double least, struct levels *levels)
{
    qsort(times_s, count, sizeof *times_s, ascending);
    size_t split = widest_gap(times_s, count);
    if (split == 0)
        return false;
    double gap = times_s[split] - times_s[split - 1];
    double spread = fmax(times_s[split - 1] - times_s[0], times_s[count - 1] - times_s[split]);
    *levels = (struct levels){.lower_count = split,
                              .upper_count = count - split,
                              .lower_s = statistics_of(times_s, split).median,
                              .upper_s = statistics_of(times_s + split, count - split).median};
    return gap > TIMES_SPREAD * spread && gap > least * levels->lower_s;
}
