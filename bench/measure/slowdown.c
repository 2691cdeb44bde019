#include "slowdown.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

static const double most_pct = 1000;
/* The row is timed without the further launch and with it in turn, so that what drifts is in both: three turns, and
 * four more if there is time, for a median of three differences does not mind one turn in which others were busy. */
enum { TURNS_MIN = 3, TURNS_MAX = 7, CALLS = 100 };
/* Of the time that the row needs at least. */
static const double turn_share = 0.1;

static bool refuse(const char *wish, struct error *error)
{
    return error_set(error, "--slowdown=%s: expected REGEX:PERCENT, the percentage above 0 and at most %.0f", wish,
                     most_pct);
}

/* The colon before the percentage; NULL: this is no wish. */
static const char *find_percentage(const char *wish, double *pct)
{
    const char *colon = strrchr(wish, ':');
    if (!colon || colon == wish || colon[1] == '\0')
        return NULL;
    char *end;
    *pct = strtod(colon + 1, &end);
    return *end == '\0' && *pct > 0 && *pct <= most_pct ? colon : NULL;
}

static bool note_in_rows(const regex_t *regex, double pct, const struct selection *selection)
{
    bool any = false;
    for (size_t i = 0; i < selection->count; i++) {
        char name[160];
        row_name(&selection->rows[i], name, sizeof name);
        if (regexec(regex, name, 0, NULL, 0) != 0)
            continue;
        selection->rows[i].slowdown_pct = pct;
        any = true;
    }
    return any;
}

bool slowdown_choose(const char *wish, struct selection *selection, struct error *error)
{
    double pct;
    regex_t regex;
    if (!wish)
        return true;
    const char *colon = find_percentage(wish, &pct);
    if (!colon)
        return refuse(wish, error);
    char *pattern = strndup(wish, (size_t)(colon - wish));
    if (!pattern)
        return error_set(error, "no memory for --slowdown");
    int status = regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB);
    free(pattern);
    if (status != 0) {
        char reason[128];
        regerror(status, &regex, reason, sizeof reason);
        return error_set(error, "--slowdown=%s: not a POSIX extended regular expression (%s)", wish, reason);
    }
    bool any = note_in_rows(&regex, pct, selection);
    regfree(&regex);
    return any || error_set(error, "--slowdown=%s: matches none of the %zu selected rows; --list shows them", wish,
                            selection->count);
}

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
    const char *trouble = measure_row(mode, context, &shorter, &measurement);
    *time_s = is_on_host(context) ? measurement.statistics.min : measurement.statistics.median;
    measurement_free(&measurement);
    return trouble;
}

/* What a launch that ends at once costs on the host, timed alone: a call is too little to be seen in the row. */
static const char *time_call(const struct mode_context *context, double *call_s)
{
    const char *trouble = NULL;
    *call_s = INFINITY;
    for (int i = 0; i < CALLS && !trouble; i++) {
        double start_s = context->now();
        trouble = context->buffers->backend->spin(0);
        *call_s = fmin(*call_s, context->now() - start_s);
    }
    return trouble;
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
        const char *trouble = time_turn(mode, context, settings, &turns_s[count]);
        if (trouble || settings->interrupted())
            return trouble;
    }
    look_at_turns(turns_s, count, &usual_s, &launch_s);
    const char *trouble = is_on_host(context) ? time_call(context, &launch_s) : NULL;
    if (trouble)
        return trouble;
    if (!(usual_s > 0))
        return "too short for the timer, so no share of it is known";
    context->is_slowed = true;
    context->extra_ns = (int64_t)round(1e9 * fmax(wished_pct / 100 * usual_s - launch_s, 0));
    *pct = 100 * (1e-9 * (double)context->extra_ns + launch_s) / usual_s;
    return NULL;
}
