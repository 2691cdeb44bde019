#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Adjusts p-values in place. Rejecting all those at or below a level then rejects one or more true hypotheses with at
 * most that probability, however the tests depend on each other (S. Holm, "A simple sequentially rejective multiple
 * test procedure", Scandinavian Journal of Statistics 6, 1979). False: out of memory. */
bool holm_adjust(double *p, size_t count);
