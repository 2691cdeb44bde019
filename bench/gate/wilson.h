#pragma once

#include "interval.h"

#include <stddef.h>

/* The 95 % interval of a probability from `hits` in `trials`, 1 or more (E. B. Wilson, "Probable inference, the law of
 * succession, and statistical inference", Journal of the American Statistical Association 22, 1927). */
struct interval wilson_interval(size_t hits, size_t trials);
