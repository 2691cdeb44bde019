#include "stopping.h"

#include <math.h>

/* The interval is never taken as narrower than a tick: samples that all show the same tick are not exact. */
static bool is_settled(const struct statistics *statistics, double tick_s)
{
    double width = fmax(statistics->ci_high - statistics->ci_low, tick_s);
    return width / 2 <= STOPPING_RELATIVE_HALF_WIDTH * statistics->median; /* false for NAN */
}

enum stop_reason stopping_decide(double min_time_s, const struct row_progress *progress, size_t samples,
                                 const struct statistics *statistics)
{
    if (samples >= STOPPING_MAX_SAMPLES)
        return STOP_SAMPLES;
    if (statistics && samples >= STOPPING_MIN_SAMPLES && progress->measured_s >= min_time_s &&
        is_settled(statistics, progress->tick_s))
        return STOP_SETTLED;
    if (progress->elapsed_s + progress->last_s > STOPPING_BUDGET_FACTOR * min_time_s)
        return samples == 1 ? STOP_ONE_SAMPLE : STOP_BUDGET;
    return STOP_NOT_YET;
}

size_t stopping_next_look(size_t samples)
{
    return samples < STOPPING_MIN_SAMPLES ? STOPPING_MIN_SAMPLES : samples + samples / 8 + 1;
}

const char *stop_reason_name(enum stop_reason reason)
{
    static const char *const names[] = {"", "settled", "budget", "samples", "one-sample", "interrupted"};
    return names[reason];
}
