/* Several tests at once. */
#ifndef RUNGBENCH_HOLM_H
#define RUNGBENCH_HOLM_H

#include <stdbool.h>
#include <stddef.h>

/* Adjusts p-values in place, so that rejecting those at or below a level rejects any true hypothesis with at most that
 * probability, however the tests depend on each other (S. Holm, "A simple sequentially rejective multiple test
 * procedure", Scandinavian Journal of Statistics 6, 1979). False: no memory. */
bool holm_adjust(double *p, size_t count);

#endif
