#include "rule.h"

#include "bench/base/statistics.h"
#include "holm.h"
#include "permutation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* For rows timed by a device's clock, by the host's clock, and for two runs, between which conditions may change. */
static const double device_threshold = 0.01, host_threshold = 0.05, unpaired_threshold = 0.03;

static const double tail = 0.025; /* on each side of the interval */

static const char *const names[VERDICTS] = {
    [VERDICT_SLOWER] = "slower",
    [VERDICT_FAILED] = "failed",
    [VERDICT_MISSING] = "missing",
    [VERDICT_NEWLY_SKIPPED] = "newly skipped",
    [VERDICT_SUSPECTED] = "suspected",
    [VERDICT_INCONCLUSIVE] = "inconclusive",
    [VERDICT_FASTER] = "faster",
    [VERDICT_CLEARED] = "cleared",
    [VERDICT_NEW] = "new",
    [VERDICT_NOT_GATED] = "not gated",
    [VERDICT_SKIPPED] = "skipped",
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

static void conclude(struct permutation *permutation, struct evidence *evidence)
{
    evidence->arrangements = permutation->count + permutation->identities;
    evidence->p_slower = permutation_p_greater(permutation, 0);
    evidence->p_faster = permutation_p_less(permutation, 0);
    evidence->p_clear = permutation_p_less(permutation, log1p(evidence->limits.clear));
    evidence->p_error = permutation_p_error(permutation, evidence->p_slower);
    struct interval logarithms = permutation_interval(permutation, tail);
    evidence->interval = (struct interval){exp(logarithms.low), exp(logarithms.high)};
    permutation_free(permutation);
}

bool evidence_of_pairs(const double *base_s, const double *new_s, size_t count, double tick_s, struct limits limits,
                       uint64_t seed, struct evidence *evidence)
{
    struct permutation permutation;
    double *scratch = malloc(count * sizeof *scratch), sum = 0;
    if (!scratch)
        return false;
    *evidence = (struct evidence){.base_rounds = count,
                                  .new_rounds = count,
                                  .base_s = median(base_s, count, scratch),
                                  .new_s = median(new_s, count, scratch),
                                  .tick_s = tick_s,
                                  .limits = limits};
    for (size_t i = 0; i < count; i++)
        sum += scratch[i] = log(new_s[i] / base_s[i]);
    evidence->ratio = exp(sum / (double)count);
    bool ok = permutation_of_pairs(scratch, count, seed, &permutation);
    if (ok)
        conclude(&permutation, evidence);
    free(scratch);
    return ok;
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

static enum verdict decide(const struct evidence *evidence, bool slower, bool faster)
{
    double change = fmax(evidence->limits.threshold, two_ticks(evidence));
    if (slower && evidence->ratio > 1 + change)
        return VERDICT_SLOWER;
    if (faster && evidence->ratio < 1 / (1 + change))
        return VERDICT_FASTER;
    return evidence->p_clear <= RULE_CLEAR_LEVEL ? VERDICT_CLEARED : VERDICT_INCONCLUSIVE;
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
        verdicts[i] = decide(evidence[i], p_slower[i] <= level, p_faster[i] <= level);
    free(p_slower);
    return ok;
}

size_t rule_pairs_needed(double level, size_t rows)
{
    size_t pairs = 1;
    while (ldexp((double)rows, -(int)pairs) > level)
        pairs++;
    return pairs;
}
