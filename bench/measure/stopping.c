#include "stopping.h"

#include "bench/place/feasible.h"

#include <math.h>

/* The interval counts as at least one tick wide: samples that all fall on the same tick are not exact. Comparisons with
 * NAN are false. */
static enum stop_reason judge_interval(const struct statistics *statistics, double tick_s)
{
    double width = statistics->ci_high - statistics->ci_low;
    if (fmax(width, tick_s) / 2 <= STOPPING_RELATIVE_HALF_WIDTH * statistics->median)
        return STOP_SETTLED;
    return width <= tick_s ? STOP_TICK : STOP_NOT_YET;
}

enum stop_reason stopping_decide(double min_time_s, const struct row_progress *progress, size_t samples,
                                 const struct statistics *statistics)
{
    if (samples >= STOPPING_MAX_SAMPLES)
        return STOP_SAMPLES;
    enum stop_reason reason = STOP_NOT_YET;
    if (statistics && samples >= STOPPING_MIN_SAMPLES && progress->sampled_s >= min_time_s)
        reason = judge_interval(statistics, progress->tick_s);
    if (reason != STOP_NOT_YET)
        return reason;
    bool owes_interval = samples < STATISTICS_MIN_FOR_INTERVAL &&
                         progress->shortest_s * STATISTICS_MIN_FOR_INTERVAL < progress->interval_s;
    if (progress->elapsed_s + progress->shortest_s > STOPPING_BUDGET_FACTOR * min_time_s && !owes_interval)
        return samples == 1 ? STOP_ONE_SAMPLE : STOP_BUDGET;
    return STOP_NOT_YET;
}

size_t stopping_next_check(size_t samples)
{
    return samples < STOPPING_MIN_SAMPLES ? STOPPING_MIN_SAMPLES : samples + samples / 8 + 1;
}

double stopping_row_limit_s(bool is_own_kernel, double min_time_s, int samples, double work)
{
    /* Rungs that are slower than the second rate have no such rows. */
    const double preparation_s = is_own_kernel ? 60 : 300, slow_rate = 2e7, rate = is_own_kernel ? 1e8 : 2e8;
    const double slow_work = is_own_kernel ? 0 : fmin(work, FEASIBLE_SLOW_FLOP_LIMIT);
    const double call_s = slow_work / slow_rate + work / rate, around_call_s = 0.05;
    return preparation_s + 2 * STOPPING_BUDGET_FACTOR * min_time_s + call_s + samples * (call_s + around_call_s);
}

const char *stop_reason_name(enum stop_reason reason)
{
    static const char *const names[] = {"",        "settled",    "tick",  "budget",
                                        "samples", "one-sample", "fixed", "interrupted"};
    return names[reason];
}
