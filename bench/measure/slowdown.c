#include "slowdown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The row is timed without the further launch and with it in turn, so that what drifts is in both: three turns, and
 * four more if there is time, for a median of three differences does not mind one turn in which others were busy. */
enum { TURNS_MIN = 3, TURNS_MAX = 7, CALLS = 100 };
/* Of the time that the row needs at least. */
static const double turn_share = 0.1;

/* Where the host does the work its least time counts, as in the gate: others on the machine only ever add to it. */
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
    const char *error = measure_row(mode, context, &shorter, &measurement);
    *time_s = is_on_host(context) ? measurement.statistics.min : measurement.statistics.median;
    measurement_free(&measurement);
    return error;
}

/* What a launch that ends at once costs on the host, timed alone: a call is too little to be seen in the row. */
static const char *time_call(const struct mode_context *context, double *call_s)
{
    const char *error = NULL;
    *call_s = INFINITY;
    for (int i = 0; i < CALLS && !error; i++) {
        double start_s = context->now();
        error = context->buffers->backend->spin(0);
        *call_s = fmin(*call_s, context->now() - start_s);
    }
    return error;
}

/* The median of the turns without the launch, and of what each turn with it took longer than its two neighbours. */
static void look_at_turns(const double *turns_s, size_t count, double *usual_s, double *launch_s)
{
    double usual[TURNS_MAX], longer[TURNS_MAX];
    for (size_t i = 0; i < count; i++)
        if (i % 2 == 0)
            usual[i / 2] = turns_s[i];
        else
            longer[i / 2] = turns_s[i] - (turns_s[i - 1] + turns_s[i + 1]) / 2;
    *usual_s = statistics_of(usual, count / 2 + 1).median;
    *launch_s = fmax(statistics_of(longer, count / 2).median, 0);
}

const char *slowdown_calibrate(const struct mode *mode, struct mode_context *context,
                               const struct measure_settings *settings, double wished_pct, double *pct)
{
    double turns_s[TURNS_MAX], usual_s, launch_s;
    double end_s = context->now() + STOPPING_BUDGET_FACTOR * settings->min_time_s; /* as long as a row may take */
    context->extra_ns = 0;
    size_t count = 0;
    for (; count < TURNS_MIN || (count < TURNS_MAX && (count > TURNS_MIN || context->now() < end_s)); count++) {
        context->is_slowed = count % 2 == 1;
        const char *error = time_turn(mode, context, settings, &turns_s[count]);
        if (error || settings->interrupted())
            return error;
    }
    look_at_turns(turns_s, count, &usual_s, &launch_s);
    const char *error = is_on_host(context) ? time_call(context, &launch_s) : NULL;
    if (error)
        return error;
    if (!(usual_s > 0))
        return "too short for the timer, so no share of it is known";
    context->is_slowed = true;
    context->extra_ns = (int64_t)round(1e9 * fmax(wished_pct / 100 * usual_s - launch_s, 0));
    *pct = 100 * (1e-9 * (double)context->extra_ns + launch_s) / usual_s;
    return NULL;
}
