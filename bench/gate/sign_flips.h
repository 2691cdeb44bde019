/* The sign-flip test of paired differences: were they as likely the other way round? Its statistic is their mean
 * without the smallest and the largest, so that one bad process hides nothing; of fewer than five it is the mean of
 * all.
 *
 * Under the hypothesis that the difference is theta, every pattern of signs of (difference - theta) was as likely as
 * the one seen. The p-value is the share of patterns whose statistic is at least as extreme. As theta rises, no
 * pattern's statistic falls faster than that of the data, so the p-value of "theta or less" never falls, and the
 * interval is what neither one-sided test rejects (M. D. Ernst, "Permutation methods: a basis for exact inference",
 * Statistical Science 19, 2004). */
#pragma once

#include "interval.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sign_flips {
    double *differences, *scratch; /* `count` each */
    size_t count;
    uint64_t seed;
    size_t patterns; /* how many are tried, the data's own included */
    bool exact;      /* all of them; otherwise they are drawn at random */
    double mean;     /* the statistic of the data */
    double largest;  /* of the differences, without their signs */
};

/* Copies `count` differences, 1 or more. All patterns of up to 18 are tried, of more than that 2^16 random ones, drawn
 * from `seed`. False: out of memory. */
bool sign_flips_make(const double *differences, size_t count, uint64_t seed, struct sign_flips *flips);
void sign_flips_free(struct sign_flips *flips);

/* One-sided p-values of the hypotheses "the difference is theta or less" (greater) and "theta or more" (less). The data
 * count as one of the random patterns, so that no p-value is too small (B. Phipson and G. K. Smyth, "Permutation
 * p-values should never be zero", 2010). */
double sign_flips_p_greater(const struct sign_flips *flips, double theta);
double sign_flips_p_less(const struct sign_flips *flips, double theta);

/* The standard error of such a p-value due to random draws; 0 if it is exact. */
double sign_flips_p_error(const struct sign_flips *flips, double p);

/* All theta that neither one-sided test rejects at level `tail` < 1/2: an interval of confidence 1 - 2 tail. Infinite
 * if there are too few patterns to reject anything. */
struct interval sign_flips_interval(const struct sign_flips *flips, double tail);

/* The number of pairs with enough patterns to reject one of `rows` hypotheses at `level`, after Holm's correction. */
size_t sign_flips_pairs_needed(double level, size_t rows);
