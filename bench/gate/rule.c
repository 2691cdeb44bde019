#include "rule.h"

#include <math.h>
#include <stdlib.h>

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

static int by_value(const void *left, const void *right)
{
    double a = **(double *const *)left, b = **(double *const *)right;
    return (a > b) - (a < b);
}

/* Adjusts p-values. Rejecting all those at or below a level then rejects one or more true hypotheses with at most that
 * probability, however the tests depend on each other (S. Holm, "A simple sequentially rejective multiple test
 * procedure", Scandinavian Journal of Statistics 6, 1979). `order` has room for as many. */
static void adjust(double *p, size_t count, double **order)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        order[i] = &p[i];
    qsort(order, count, sizeof(*order), by_value);
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fmin(1, *order[i] * (double)(count - i)));
        *order[i] = largest;
    }
}

bool rule_decide(const struct evidence *const *evidence, size_t count, double level, enum verdict *verdicts)
{
    double *p = malloc((2 * count + 1) * sizeof *p); /* of "slower", then of "faster" */
    double **order = malloc((count + 1) * sizeof(*order));
    bool ok = p && order;
    for (size_t i = 0; i < count && ok; i++) {
        p[i] = evidence[i]->p_slower;
        p[count + i] = evidence[i]->p_faster;
    }
    if (ok) {
        adjust(p, count, order);
        adjust(p + count, count, order);
    }
    for (size_t i = 0; i < count && ok; i++)
        verdicts[i] = decide(evidence[i], level, p[i] <= level, p[count + i] <= level);
    free(p);
    free(order);
    return ok;
}

/* A run that is decided. */
struct run {
    rule_evidence *evidence_for;
    void *self;
    struct evidence *rows;        /* of the last stage of each */
    const struct evidence **open; /* those that are not decided yet */
    size_t open_count;
    enum verdict *found, *verdicts; /* of the open rows in a stage, and of all */
};

/* Decides the open rows by the pairs from `first` on, and leaves those open that stay inconclusive. */
static bool confirm(struct run *run, size_t first)
{
    size_t left = 0;
    for (size_t i = 0; i < run->open_count; i++) {
        size_t row = (size_t)(run->open[i] - run->rows);
        if (!run->evidence_for(run->self, row, first, RULE_CONFIRM_PAIRS, &run->rows[row]))
            return false;
    }
    if (!rule_decide(run->open, run->open_count, RULE_SESSION_LEVEL, run->found))
        return false;
    for (size_t i = 0; i < run->open_count; i++) {
        run->verdicts[run->open[i] - run->rows] = run->found[i];
        if (run->found[i] == VERDICT_INCONCLUSIVE)
            run->open[left++] = run->open[i];
    }
    run->open_count = left;
    return true;
}

bool rule_decide_run(rule_evidence *evidence_for, void *self, size_t rows, enum verdict *verdicts)
{
    struct run run = {.evidence_for = evidence_for,
                      .self = self,
                      .rows = malloc(rows * sizeof *run.rows),
                      .open = malloc(rows * sizeof(*run.open)),
                      .found = malloc(rows * sizeof *run.found),
                      .verdicts = verdicts};
    bool ok = run.rows && run.open && run.found;
    for (size_t row = 0; row < rows && ok; row++) {
        ok = evidence_for(self, row, 0, RULE_SCREEN_PAIRS, &run.rows[row]);
        verdicts[row] = VERDICT_CLEARED;
        if (ok && rule_needs_confirmation(&run.rows[row]))
            run.open[run.open_count++] = &run.rows[row];
    }
    for (size_t stage = 0; stage < RULE_CONFIRMATIONS && run.open_count > 0 && ok; stage++)
        ok = confirm(&run, RULE_SCREEN_PAIRS + stage * RULE_CONFIRM_PAIRS);
    free(run.rows);
    free(run.open);
    free(run.found);
    return ok;
}
