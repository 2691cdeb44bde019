/* What do the rounds of one row show: is the new side slower or faster, and by how much at least and at most? Each
 * round counts as one time, since the samples of one process vary less than processes do. Times, in seconds or in any
 * other unit, are finite and above 0, as they are compared by their logarithms. Any thread may ask; without memory the
 * program ends with EXIT_USAGE. (M. D. Ernst, "Permutation methods: a basis for exact inference", Statistical Science
 * 19, 2004) */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From `low` to `high`, both included; infinite, or of a ratio 0, if not bounded. */
struct interval {
    double low, high;
};

/* Relative to the base: 0.05 is 5 %. */
struct limits {
    double threshold; /* smaller changes are ignored */
    double clear;     /* a row is cleared if it is not slower by this much */
};

struct evidence {
    size_t base_rounds, new_rounds;
    double base_s, new_s;     /* medians of the rounds */
    double ratio;             /* new / base, as the test estimates it */
    struct interval interval; /* 95 % confidence interval of the ratio: the inverted test */
    double tick_s;            /* resolution of the timer */
    struct limits limits;
    double p_slower, p_faster; /* p-values of "slower, or faster, by limits.threshold at most" */
    double p_clear;            /* p-value of "slower by limits.clear or more" */
    double p_error;            /* standard error of p_slower if rearrangements were drawn at random; otherwise 0 */
    size_t arrangements; /* number of rearrangements; no p-value is below 1 / arrangements, of pairs 2 / arrangements */
};

/* For `count` pairs of rounds, 1 or more: the sign-flip test. Were the differences as likely the other way round? Its
 * statistic is their mean without the smallest and the largest, so that one bad process hides nothing; of fewer than
 * five it is the mean of all. All patterns of up to 20 signs are tried, of more than that 2^16 random ones, drawn from
 * `seed`. The interval takes longer than all else, and without it is NAN. */
struct evidence evidence_of_pairs(const double *base_s, const double *new_s, size_t count, double tick_s,
                                  struct limits limits, uint64_t seed, bool has_interval);

/* For two runs of one round or more: the permutation test of the difference of the means. All divisions of the pooled
 * times into two such samples are tried up to 2^18, and 2^18 random ones above. */
struct evidence evidence_of_samples(const double *base_s, size_t base_count, const double *new_s, size_t new_count,
                                    double tick_s, struct limits limits, uint64_t seed);

/* Of the side that has fewer. */
size_t evidence_fewest_rounds(const struct evidence *evidence);

/* Rounds per side that have enough rearrangements to reject one of `rows` hypotheses at `level`, after Holm's
 * correction. */
size_t evidence_rounds_needed(bool paired, size_t rows, double level);

#ifdef __cplusplus
}
#endif
