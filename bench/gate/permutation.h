/* The permutation test of the difference between two samples, and the confidence interval obtained by inverting it.
 *
 * A rearrangement of the data exchanges values between the samples. Under the hypothesis that the difference is theta,
 * every rearrangement was as likely as the data. The p-value is the share of
 * rearrangements whose statistic, the mean difference, is at least as extreme as the observed one. Each rearrangement
 * ties with the data at exactly one theta, its typical value. So p-values for any theta, and confidence limits, are
 * counts of typical values (J. A. Hartigan, "Using subsample values as typical values", Journal of the American
 * Statistical Association 64, 1969; M. D. Ernst, "Permutation methods: a basis for exact inference", Statistical
 * Science 19, 2004). */
#pragma once

#include "interval.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct permutation {
    double *typical; /* the value of each rearrangement except those that equal the data */
    size_t count;
    size_t identities;      /* rearrangements that equal the data; they count in each p-value */
    bool exact;             /* all rearrangements; otherwise they were drawn at random */
    double rounding_margin; /* what rounding may put between two equal values */
};

/* The two-sample test of mean(other) - mean(base), with one value or more each. Uses all divisions of the pooled values
 * into two such samples up to 2^18, and 2^18 random ones, drawn from `seed`, above. False: out of memory. */
bool permutation_of_samples(const double *base, size_t base_count, const double *other, size_t other_count,
                            uint64_t seed, struct permutation *permutation);

void permutation_free(struct permutation *permutation);

/* One-sided p-values of the hypotheses "the difference is theta or less" (greater) and "theta or more" (less). The data
 * counts as one of the random rearrangements, so that the p-value is never too small (B. Phipson and G. K. Smyth,
 * "Permutation p-values should never be zero", 2010). */
double permutation_p_greater(const struct permutation *permutation, double theta);
double permutation_p_less(const struct permutation *permutation, double theta);

/* The standard error of such a p-value due to random draws; 0 if it is exact. */
double permutation_p_error(const struct permutation *permutation, double p);

/* All theta that neither one-sided test rejects at level `tail` < 1/2: an interval of confidence 1 - 2 tail. Infinite
 * if there are too few rearrangements to reject anything. Reorders the contents of `permutation`. */
struct interval permutation_interval(struct permutation *permutation, double tail);
