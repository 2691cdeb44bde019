#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The row is timed alternately without and with the extra launch, so that drift affects both. The median of three
 * differences tolerates one turn that other processes disturbed. */
enum { TURNS = 7, CALLS = 100 };
/* Length of a turn as a share of min_time_s. */
static const double turn_share = 0.1;

/* For rungs on the host the fastest sample counts, as in the gate: other processes can only make it slower. */
static bool is_on_host(const struct mode_context *context)
{
    return !context->rung->backend->separate_memory;
}

static const char *time_turn(const struct mode *mode, const struct mode_context *context,
                             const struct measure_settings *settings, double *time_s)
{
    struct measure_settings shorter = *settings;
    struct measurement measurement;
    shorter.min_time_s *= turn_share;
    shorter.interval_s = 0;
    shorter.samples = 0;
    const char *error = measure_row(mode, context, &shorter, &measurement);
    *time_s = is_on_host(context) ? measurement.statistics.min : measurement.statistics.median;
    measurement_free(&measurement);
    return error;
}

/* The cost on the host of a launch that ends immediately, timed alone: one call is too short to be seen in the row. */
static const char *time_call(const struct mode_context *context, double *call_s)
{
    *call_s = INFINITY;
    for (int i = 0; i < CALLS; i++) {
        double start_s = context->now();
        TRY_CALL(context->buffers->backend->spin(0));
        *call_s = fmin(*call_s, context->now() - start_s);
    }
    return NULL;
}

/* `base_s`: the median of the turns without the launch. `launch_s`: the median of the differences between a turn with
 * it and the mean of the turns before and after. */
static void evaluate_turns(const double turns_s[TURNS], double *base_s, double *launch_s)
{
    double base[TURNS / 2 + 1], difference[TURNS / 2];
    for (size_t i = 0; i < TURNS; i++)
        if (i % 2 == 0)
            base[i / 2] = turns_s[i];
        else
            difference[i / 2] = turns_s[i] - (turns_s[i - 1] + turns_s[i + 1]) / 2;
    *base_s = statistics_of(base, TURNS / 2 + 1).median;
    *launch_s = fmax(statistics_of(difference, TURNS / 2).median, 0);
}

const char *slowdown_calibrate(const struct mode *mode, struct mode_context *context,
                               const struct measure_settings *settings, double requested_pct, double *pct)
{
    double turns_s[TURNS], base_s, launch_s;
    context->extra_ns = 0;
    for (size_t i = 0; i < TURNS; i++) {
        context->is_slowed = i % 2 == 1;
        TRY_CALL(time_turn(mode, context, settings, &turns_s[i]));
        if (settings->interrupted())
            return NULL;
    }
    evaluate_turns(turns_s, &base_s, &launch_s);
    if (is_on_host(context))
        TRY_CALL(time_call(context, &launch_s));
    if (!(base_s > 0))
        return "too short for the timer: a percentage of its time is unknown";
    context->is_slowed = true;
    context->extra_ns = (int64_t)round(1e9 * fmax(requested_pct / 100 * base_s - launch_s, 0));
    *pct = 100 * (1e-9 * (double)context->extra_ns + launch_s) / base_s;
    return NULL;
}
