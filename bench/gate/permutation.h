/* Permutation tests of the difference between two sides, and the intervals that come of turning the tests round.
 *
 * Under the hypothesis that the difference is theta, every rearrangement of the data (signs of paired differences
 * flipped, or values exchanged between two samples) was as likely as the data. The p-value is the share of
 * rearrangements whose statistic, the mean difference, is at least as far out as the one seen. Each of them ties with
 * the data at exactly one theta, its typical value: so p-values for any theta, and confidence limits, are counts among
 * typical values (J. A. Hartigan, "Using subsample values as typical values", Journal of the American Statistical
 * Association 64, 1969; M. D. Ernst, "Permutation methods: a basis for exact inference", Statistical Science 19, 2004).
 */
#ifndef RUNGBENCH_PERMUTATION_H
#define RUNGBENCH_PERMUTATION_H

#include "interval.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct permutation {
    double *typical; /* a value for each rearrangement, but for those that are the data itself */
    size_t count;
    size_t identities; /* rearrangements that are the data itself; they count in each p-value */
    bool exact;        /* all rearrangements are there; else that many were drawn at random */
    double blur;       /* what rounding may put between two equal values */
};

/* The sign-flip test of the mean of `count` differences, 1 or more; all 2^count sign patterns up to 2^18 of them, above
 * that 2^18 drawn from `seed`. False: no memory. */
bool permutation_of_pairs(const double *differences, size_t count, uint64_t seed, struct permutation *permutation);

/* The two-sample test of mean(other) - mean(base), each of one value or more; all divisions of the pooled values into
 * such samples up to 2^18 of them, above that 2^18 drawn from `seed`. False: no memory. */
bool permutation_of_samples(const double *base, size_t base_count, const double *other, size_t other_count,
                            uint64_t seed, struct permutation *permutation);

void permutation_free(struct permutation *permutation);

/* One-sided p-value of "the difference is theta or less" (greater), and of "theta or more" (less). With random draws
 * the data counts as one of them, so that the p-value is never below its true level (B. Phipson and G. K. Smyth,
 * "Permutation p-values should never be zero", 2010). */
double permutation_p_greater(const struct permutation *permutation, double theta);
double permutation_p_less(const struct permutation *permutation, double theta);

/* The standard error of such a p-value from its random draws; 0 if it is exact. */
double permutation_p_error(const struct permutation *permutation, double p);

/* All theta that neither one-sided test rejects at `tail`: an interval of confidence 1 - 2 tail. Infinite on a side
 * where there are too few rearrangements to reject anything. `tail` is below 1/2. Puts what is in `permutation` in
 * another order. */
struct interval permutation_interval(struct permutation *permutation, double tail);

#endif
