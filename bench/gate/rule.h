/* The rule: what the rounds of a row say, and which verdict follows. Times here are one for each round, the unit of the
 * comparison: samples of one process agree with each other more than processes do. */
#ifndef RUNGBENCH_RULE_H
#define RUNGBENCH_RULE_H

#include "interval.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum verdict {
    VERDICT_SLOWER,
    VERDICT_FAILED,
    VERDICT_MISSING,
    VERDICT_NEWLY_SKIPPED,
    VERDICT_SUSPECTED, /* slower, but on another device */
    VERDICT_INCONCLUSIVE,
    VERDICT_FASTER,
    VERDICT_CLEARED,
    VERDICT_NEW,
    VERDICT_NOT_GATED, /* the host was too slow to keep the device busy: its time says nothing of the kernel */
    VERDICT_SKIPPED,   /* on both sides */
    VERDICTS,
};

const char *verdict_name(enum verdict verdict);

enum {
    RULE_SCREEN_PAIRS = 8,
    RULE_CONFIRM_PAIRS = 12, /* or rule_pairs_needed() */
};

/* Significance levels: of a verdict in one session and between files, over all rows that are decided at once; and of
 * clearing a row, for each row alone, since all of them must be cleared. */
#define RULE_SESSION_LEVEL 0.01
#define RULE_FILES_LEVEL 0.05
#define RULE_CLEAR_LEVEL 0.05

/* Relative to the base. */
struct limits {
    double threshold; /* a change up to this much is none */
    double clear;     /* a row is cleared when it is not slower by this much */
};

/* What holds for a row that ran on a device's own clock, or on the host's; compared in one session, or not. */
struct limits limits_of(bool on_host, bool paired);

/* The same relation for a threshold of one's own. */
struct limits limits_from(double threshold);

/* The rounds of one row. */
struct evidence {
    size_t base_rounds, new_rounds;
    double base_s, new_s;     /* medians of rounds */
    double ratio;             /* of the geometric means, new over base */
    struct interval interval; /* of the ratio, 95 %, the permutation test turned round */
    double tick_s;            /* what the timer could tell apart */
    struct limits limits;
    double p_slower, p_faster; /* of "not slower", of "not faster" */
    double p_clear;            /* of "slower by limits.clear or more" */
    double p_error;            /* standard error of p_slower where rearrangements were drawn at random; else 0 */
    size_t arrangements;       /* how many there are to reject with: no p-value is below 1 in so many */
};

/* Rounds in pairs, `count` of them: the sign-flip test of the mean logarithm of the ratio. False: no memory. */
bool evidence_of_pairs(const double *base_s, const double *new_s, size_t count, double tick_s, struct limits limits,
                       uint64_t seed, struct evidence *evidence);

/* Rounds of two runs: the two-sample permutation test of the difference of the mean logarithms. False: no memory. */
bool evidence_of_samples(const double *base_s, size_t base_count, const double *new_s, size_t new_count, double tick_s,
                         struct limits limits, uint64_t seed, struct evidence *evidence);

/* After the screen: whether the row is not cleared, or moved by half the threshold up or all of it down. Other rows are
 * VERDICT_CLEARED. */
bool rule_needs_confirmation(const struct evidence *evidence);

/* The verdicts on rows decided at once, Holm's procedure over them: slower or faster where a test rejects at `level`
 * and the change is more than the threshold and two ticks; else cleared or inconclusive. False: no memory. */
bool rule_decide(const struct evidence *const *evidence, size_t count, double level, enum verdict *verdicts);

/* Pairs that give enough sign patterns for a row of `rows` to be rejected at `level`. */
size_t rule_pairs_needed(double level, size_t rows);

#endif
