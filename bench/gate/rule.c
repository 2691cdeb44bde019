#include "rule.h"

#include <math.h>

/* For rows timed by a device's clock, by the host's clock, and for two runs, between which conditions may change. */
static const double device_threshold = 0.01, host_threshold = 0.05, unpaired_threshold = 0.03;

static const char *const names[VERDICTS] = {
    [VERDICT_SLOWER] = "slower",       [VERDICT_FAILED] = "failed",
    [VERDICT_MISSING] = "missing",     [VERDICT_NEWLY_SKIPPED] = "newly skipped",
    [VERDICT_SUSPECTED] = "suspected", [VERDICT_INCONCLUSIVE] = "inconclusive",
    [VERDICT_ACCEPTED] = "accepted",   [VERDICT_LAYOUT] = "layout",
    [VERDICT_SAME_CODE] = "same code", [VERDICT_FASTER] = "faster",
    [VERDICT_CLEARED] = "cleared",     [VERDICT_NEW] = "new",
    [VERDICT_NOT_GATED] = "not gated", [VERDICT_SKIPPED] = "skipped",
};

const char *verdict_name(enum verdict verdict)
{
    return names[verdict];
}

struct limits limits_from(double threshold)
{
    return (struct limits){.threshold = threshold, .clear = 2 * threshold};
}

struct limits limits_of(bool on_host, bool paired)
{
    double threshold = on_host ? host_threshold : device_threshold;
    return limits_from(paired ? threshold : fmax(threshold, unpaired_threshold));
}

bool rule_needs_confirmation(const struct evidence *evidence)
{
    return evidence->p_clear > RULE_CLEAR_LEVEL || evidence->ratio > 1 + evidence->limits.threshold / 2 ||
           evidence->ratio < 1 / (1 + evidence->limits.threshold);
}

static enum verdict decide(const struct evidence *evidence, double level, bool slower, bool faster)
{
    double change = fmax(evidence->limits.threshold, 2 * evidence->tick_s / evidence->base_s);
    if (slower && evidence->ratio > 1 + change)
        return VERDICT_SLOWER;
    if (faster && evidence->ratio < 1 / (1 + change))
        return VERDICT_FASTER;
    return evidence->p_clear <= fmin(2 * level, RULE_CLEAR_LEVEL) ? VERDICT_CLEARED : VERDICT_INCONCLUSIVE;
}

static double p_of(const struct decision *row, bool faster)
{
    return faster ? row->evidence.p_faster : row->evidence.p_slower;
}

/* The largest p-value that is rejected; below 0: none. Rejecting all up to it rejects one or more true hypotheses with
 * at most the probability `level`, however the tests depend on each other (S. Holm, "A simple sequentially rejective
 * multiple test procedure", Scandinavian Journal of Statistics 6, 1979). */
static double largest_rejected(const struct decision *rows, size_t count, double level, bool faster)
{
    double largest = -1;
    for (;;) {
        double next = INFINITY;
        size_t left = 0;
        for (size_t i = 0; i < count; i++)
            if (rows[i].is_open && p_of(&rows[i], faster) > largest) {
                next = fmin(next, p_of(&rows[i], faster));
                left++;
            }
        if (left == 0 || fmin(1, next * (double)left) > level)
            return largest;
        largest = next;
    }
}

void rule_decide(struct decision *rows, size_t count, double level)
{
    double slower = largest_rejected(rows, count, level, false), faster = largest_rejected(rows, count, level, true);
    for (struct decision *row = rows; row < rows + count; row++)
        if (row->is_open)
            row->verdict = decide(&row->evidence, level, p_of(row, false) <= slower, p_of(row, true) <= faster);
}

void rule_decide_run(rule_evidence *evidence_for, void *self, struct decision *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rows[i].evidence = evidence_for(self, i, 0, RULE_SCREEN_PAIRS);
        rows[i].is_open = rule_needs_confirmation(&rows[i].evidence);
        rows[i].verdict = VERDICT_CLEARED;
    }
    for (size_t first = RULE_SCREEN_PAIRS; first < RULE_RUN_PAIRS; first += RULE_CONFIRM_PAIRS) {
        for (size_t i = 0; i < count; i++)
            if (rows[i].is_open)
                rows[i].evidence = evidence_for(self, i, first, RULE_CONFIRM_PAIRS);
        rule_decide(rows, count, RULE_SITTING_LEVEL);
        for (size_t i = 0; i < count; i++)
            rows[i].is_open = rows[i].is_open && rows[i].verdict == VERDICT_INCONCLUSIVE;
    }
}
