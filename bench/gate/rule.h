/* The rule. What do the rounds of one row show: is the new side slower or faster, and by how much at least and at most?
 * Each round counts as one time, since the samples of one process vary less than processes do. Times are compared by
 * their logarithms. And the verdict that follows. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From `low` to `high`, both included; infinite, or of a ratio 0, if not bounded. */
struct interval {
    double low, high;
};

/* Relative to the base. */
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
 * five it is the mean of all. All patterns of up to 18 signs are tried, of more than that 2^16 random ones, drawn from
 * `seed`. The interval takes longer than all else, and without it is NAN. */
struct evidence evidence_of_pairs(const double *base_s, const double *new_s, size_t count, double tick_s,
                                  struct limits limits, uint64_t seed, bool has_interval);

/* For two runs of one round or more: the permutation test of the difference of the means. All divisions of the pooled
 * times into two such samples are tried up to 2^18, and 2^18 random ones above. */
struct evidence evidence_of_samples(const double *base_s, size_t base_count, const double *new_s, size_t new_count,
                                    double tick_s, struct limits limits, uint64_t seed);

/* Rounds per side that have enough rearrangements to reject one of `rows` hypotheses at `level`, after Holm's
 * correction. */
size_t evidence_rounds_needed(bool paired, size_t rows, double level);

/* In the order of reports: the gate fails, is inconclusive, passes, and says nothing. */
enum verdict {
    VERDICT_SLOWER,
    VERDICT_FAILED,
    VERDICT_MISSING,
    VERDICT_NEWLY_SKIPPED,
    VERDICT_SUSPECTED, /* slower, but on another device */
    VERDICT_INCONCLUSIVE,
    VERDICT_ACCEPTED,  /* slower or missing, and that is intended */
    VERDICT_LAYOUT,    /* the same machine code takes another time */
    VERDICT_SAME_CODE, /* its times decide nothing, but its machine code is the same */
    VERDICT_FASTER,
    VERDICT_CLEARED,
    VERDICT_NEW,
    VERDICT_NOT_GATED, /* launch-bound or failed on both sides */
    VERDICT_SKIPPED,   /* on both sides */
    VERDICTS,
};

const char *verdict_name(enum verdict verdict);

enum {
    RULE_SCREEN_PAIRS = 8,
    RULE_CONFIRM_PAIRS = 14, /* or evidence_rounds_needed() */
    RULE_CONFIRMATIONS = 2,  /* the second one of the rows that the first one leaves inconclusive */
    RULE_RUN_PAIRS = RULE_SCREEN_PAIRS + RULE_CONFIRMATIONS * RULE_CONFIRM_PAIRS,
};

/* Significance levels. For "slower" within one sitting, in each confirmation, and between files: over all rows that are
 * decided together. For "cleared", which is twice that level, but this one at most: per row, without correction, since
 * every row must be cleared. A row that is slower by limits.clear has three chances, of .05, .01 and .01. */
#define RULE_SITTING_LEVEL 0.005
#define RULE_FILES_LEVEL 0.05
#define RULE_CLEAR_LEVEL 0.05

/* The default limits. `on_host`: the row was timed by the host's clock; `paired`: both sides are of one sitting. */
struct limits limits_of(bool on_host, bool paired);
struct limits limits_from(double threshold);

/* Whether the row needs confirmation after the screen: it is not cleared, or its ratio is slower by more than half the
 * threshold, or faster by more than the threshold. Other rows are VERDICT_CLEARED. */
bool rule_needs_confirmation(const struct evidence *evidence);

struct decision {
    struct evidence evidence;
    bool is_open; /* still to be made */
    enum verdict verdict;
};

/* The verdicts on the open rows together, with Holm's correction. A row is slower or faster if its test rejects at
 * `level` and the change exceeds both the threshold and two ticks; otherwise it is cleared or inconclusive. */
void rule_decide(struct decision *rows, size_t count, double level);

/* The evidence of a row in `count` pairs of a run, from number `first` on. */
typedef struct evidence rule_evidence(void *self, size_t row, size_t first, size_t count);

/* The verdicts on a whole run of RULE_RUN_PAIRS pairs: screen and confirmations. */
void rule_decide_run(rule_evidence *evidence_for, void *self, struct decision *rows, size_t count);
