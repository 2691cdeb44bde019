#include "rule.h"

#include "bench/base/statistics.h"
#include "holm.h"
#include "permutation.h"
#include "sign_flips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* For rows timed by a device's clock, by the host's clock, and for two runs, between which conditions may change. */
static const double device_threshold = 0.01, host_threshold = 0.05, unpaired_threshold = 0.03;

static const double tail = 0.025; /* on each side of the interval */

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

static double median(const double *values, size_t count, double *scratch)
{
    memcpy(scratch, values, count * sizeof *values);
    return statistics_of(scratch, count).median;
}

static double two_ticks(const struct evidence *evidence)
{
    return 2 * evidence->tick_s / evidence->base_s;
}

static bool flips_of_pairs(const double *base_s, const double *new_s, size_t count, uint64_t seed,
                           struct sign_flips *flips)
{
    double *logarithms = malloc(count * sizeof *logarithms);
    if (!logarithms)
        return false;
    for (size_t i = 0; i < count; i++)
        logarithms[i] = log(new_s[i] / base_s[i]);
    bool ok = sign_flips_make(logarithms, count, seed, flips);
    free(logarithms);
    return ok;
}

bool evidence_of_pairs(const double *base_s, const double *new_s, size_t count, double tick_s, struct limits limits,
                       uint64_t seed, struct evidence *evidence)
{
    struct sign_flips flips;
    double *scratch = malloc(count * sizeof *scratch), ignored = log1p(limits.threshold);
    bool ok = scratch && flips_of_pairs(base_s, new_s, count, seed, &flips);
    if (ok) {
        *evidence = (struct evidence){.base_rounds = count,
                                      .new_rounds = count,
                                      .base_s = median(base_s, count, scratch),
                                      .new_s = median(new_s, count, scratch),
                                      .ratio = exp(flips.mean),
                                      .interval = {NAN, NAN},
                                      .tick_s = tick_s,
                                      .limits = limits,
                                      .p_slower = sign_flips_p_greater(&flips, ignored),
                                      .p_faster = sign_flips_p_less(&flips, -ignored),
                                      .p_clear = sign_flips_p_less(&flips, log1p(limits.clear)),
                                      .arrangements = flips.patterns};
        evidence->p_error = sign_flips_p_error(&flips, evidence->p_slower);
        sign_flips_free(&flips);
    }
    free(scratch);
    return ok;
}

bool interval_of_pairs(const double *base_s, const double *new_s, size_t count, uint64_t seed,
                       struct interval *interval)
{
    struct sign_flips flips;
    if (!flips_of_pairs(base_s, new_s, count, seed, &flips))
        return false;
    struct interval logarithms = sign_flips_interval(&flips, tail);
    *interval = (struct interval){exp(logarithms.low), exp(logarithms.high)};
    sign_flips_free(&flips);
    return true;
}

static void conclude(struct permutation *permutation, struct evidence *evidence)
{
    double ignored = log1p(evidence->limits.threshold);
    evidence->arrangements = permutation->count + permutation->identities;
    evidence->p_slower = permutation_p_greater(permutation, ignored);
    evidence->p_faster = permutation_p_less(permutation, -ignored);
    evidence->p_clear = permutation_p_less(permutation, log1p(evidence->limits.clear));
    evidence->p_error = permutation_p_error(permutation, evidence->p_slower);
    struct interval logarithms = permutation_interval(permutation, tail);
    evidence->interval = (struct interval){exp(logarithms.low), exp(logarithms.high)};
    permutation_free(permutation);
}

/* Writes the logarithms and returns their mean. */
static double logarithms_of(const double *values, size_t count, double *logarithms)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += logarithms[i] = log(values[i]);
    return sum / (double)count;
}

bool evidence_of_samples(const double *base_s, size_t base_count, const double *new_s, size_t new_count, double tick_s,
                         struct limits limits, uint64_t seed, struct evidence *evidence)
{
    struct permutation permutation;
    double *scratch = malloc((base_count + new_count) * sizeof *scratch);
    if (!scratch)
        return false;
    double *of_new = scratch + base_count;
    *evidence = (struct evidence){.base_rounds = base_count,
                                  .new_rounds = new_count,
                                  .base_s = median(base_s, base_count, scratch),
                                  .new_s = median(new_s, new_count, scratch),
                                  .tick_s = tick_s,
                                  .limits = limits};
    double base_mean = logarithms_of(base_s, base_count, scratch);
    evidence->ratio = exp(logarithms_of(new_s, new_count, of_new) - base_mean);
    bool ok = permutation_of_samples(scratch, base_count, of_new, new_count, seed, &permutation);
    if (ok)
        conclude(&permutation, evidence);
    free(scratch);
    return ok;
}

bool rule_needs_confirmation(const struct evidence *evidence)
{
    return evidence->p_clear > RULE_CLEAR_LEVEL || evidence->ratio > 1 + evidence->limits.threshold / 2 ||
           evidence->ratio < 1 / (1 + evidence->limits.threshold);
}

static enum verdict decide(const struct evidence *evidence, double level, bool slower, bool faster)
{
    double change = fmax(evidence->limits.threshold, two_ticks(evidence));
    if (slower && evidence->ratio > 1 + change)
        return VERDICT_SLOWER;
    if (faster && evidence->ratio < 1 / (1 + change))
        return VERDICT_FASTER;
    return evidence->p_clear <= fmin(2 * level, RULE_CLEAR_LEVEL) ? VERDICT_CLEARED : VERDICT_INCONCLUSIVE;
}

bool rule_decide(const struct evidence *const *evidence, size_t count, double level, enum verdict *verdicts)
{
    double *p_slower = malloc((2 * count + 1) * sizeof *p_slower);
    if (!p_slower)
        return false;
    double *p_faster = p_slower + count;
    for (size_t i = 0; i < count; i++) {
        p_slower[i] = evidence[i]->p_slower;
        p_faster[i] = evidence[i]->p_faster;
    }
    bool ok = holm_adjust(p_slower, count) && holm_adjust(p_faster, count);
    for (size_t i = 0; i < count && ok; i++)
        verdicts[i] = decide(evidence[i], level, p_slower[i] <= level, p_faster[i] <= level);
    free(p_slower);
    return ok;
}

/* The open rows of a run, with the evidence of one stage. */
struct open_rows {
    size_t *row, count;
    struct evidence *evidence;
    const struct evidence **listed;
    enum verdict *verdicts;
};

static void open_rows_free(struct open_rows *open)
{
    free(open->row);
    free(open->evidence);
    free(open->listed);
    free(open->verdicts);
}

static bool open_rows_make(size_t rows, struct open_rows *open)
{
    *open = (struct open_rows){.row = malloc(rows * sizeof *open->row),
                               .evidence = malloc(rows * sizeof *open->evidence),
                               .listed = malloc(rows * sizeof(*open->listed)),
                               .verdicts = malloc(rows * sizeof *open->verdicts)};
    if (open->row && open->evidence && open->listed && open->verdicts)
        return true;
    open_rows_free(open);
    return false;
}

/* Decides the open rows by the pairs from `first` on, and leaves those open that stay inconclusive. */
static bool confirm(rule_evidence *evidence_for, void *self, size_t first, struct open_rows *open,
                    enum verdict *verdicts)
{
    for (size_t i = 0; i < open->count; i++) {
        open->listed[i] = &open->evidence[i];
        if (!evidence_for(self, open->row[i], first, RULE_CONFIRM_PAIRS, &open->evidence[i]))
            return false;
    }
    if (!rule_decide(open->listed, open->count, RULE_SESSION_LEVEL, open->verdicts))
        return false;
    size_t left = 0;
    for (size_t i = 0; i < open->count; i++) {
        verdicts[open->row[i]] = open->verdicts[i];
        if (open->verdicts[i] == VERDICT_INCONCLUSIVE)
            open->row[left++] = open->row[i];
    }
    open->count = left;
    return true;
}

bool rule_decide_run(rule_evidence *evidence_for, void *self, size_t rows, enum verdict *verdicts)
{
    struct open_rows open;
    if (!open_rows_make(rows, &open))
        return false;
    bool ok = true;
    for (size_t row = 0; row < rows && ok; row++) {
        ok = evidence_for(self, row, 0, RULE_SCREEN_PAIRS, &open.evidence[0]);
        verdicts[row] = VERDICT_CLEARED;
        if (ok && rule_needs_confirmation(&open.evidence[0]))
            open.row[open.count++] = row;
    }
    for (size_t stage = 0; stage < RULE_CONFIRMATIONS && open.count > 0 && ok; stage++)
        ok = confirm(evidence_for, self, RULE_SCREEN_PAIRS + stage * RULE_CONFIRM_PAIRS, &open, verdicts);
    open_rows_free(&open);
    return ok;
}
