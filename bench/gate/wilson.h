/* How sure a rate is that was seen in so many trials. */
#ifndef RUNGBENCH_WILSON_H
#define RUNGBENCH_WILSON_H

#include "interval.h"

#include <stddef.h>

/* The 95 % interval of a probability of which `hits` of `trials`, 1 or more, were seen (E. B. Wilson, "Probable
 * inference, the law of succession, and statistical inference", Journal of the American Statistical Association 22,
 * 1927). */
struct interval wilson_interval(size_t hits, size_t trials);

#endif
