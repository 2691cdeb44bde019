#include "wilson.h"

#include <math.h>

static const double z = 1.959963984540054; /* 0.975 quantile of the normal distribution */

struct interval wilson_interval(size_t hits, size_t trials)
{
    double n = (double)trials, rate = (double)hits / n;
    double centre = (rate + z * z / (2 * n)) / (1 + z * z / n);
    double reach = z * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n);
    return (struct interval){hits == 0 ? 0 : centre - reach, hits == trials ? 1 : centre + reach};
}
