/* The rule: the verdict that follows from the evidence. */
#pragma once

#include "evidence.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
