#include "verdict.h"

#include <math.h>
#include <stdio.h>

static const double tolerated_excess = 1.02;
/* How often a ceiling is measured again before a row counts as impossible: the first time may have been disturbed. */
enum { SECOND_LOOKS = 5 };

/* The timer cannot explain a median this far below the floor. */
static bool is_too_fast(const struct mode *mode, const struct result *result)
{
    double calls_per_sample = (double)result->iterations / (double)result->statistics.count;
    double blur_s = fmax(2 * result->tick_s / calls_per_sample, mode->resolution_s);
    return result->floor_s > tolerated_excess * result->statistics.median + blur_s;
}

/* On a device's own clock that is an error. On the host, other work may have disturbed the floor and not the row. */
static bool is_impossible(const struct ceiling_question *question, const struct result *result)
{
    return question->device->entry->separate_memory && question->mode->transfer[0] == '\0' &&
           is_too_fast(question->mode, result);
}

static void note_floor(struct ceilings *ceilings, const struct ceiling_question *question, struct result *result)
{
    struct time_floor bound = ceilings_floor(ceilings, question);
    result->floor_s = bound.seconds;
    for (int look = 0; look < SECOND_LOOKS && is_too_fast(question->mode, result); look++) {
        bound = ceilings_floor_again(ceilings, question);
        result->floor_s = bound.seconds;
    }
    if (is_too_fast(question->mode, result))
        conditions_mark(&result->conditions, "over-ceiling");
    else if (result->floor_s > tolerated_excess * result->statistics.median)
        bound = (struct time_floor){NAN, ""}; /* too short for the timer */
    result->floor_s = bound.seconds;
    snprintf(result->ceiling, sizeof result->ceiling, "%s", bound.ceiling);
    result->empty_kernel_s = ceilings_empty_kernel(ceilings, question->device, question->mode);
}

static void fail_too_fast(const struct result *untimed, struct result *result)
{
    const struct result timed = *result;
    *result = *untimed;
    result->status = STATUS_FAILED;
    snprintf(result->reason, sizeof result->reason,
             "an error in the measurement: %.4g us is less than the %.4g us that the device needs at best (%s)",
             timed.statistics.median * 1e6, timed.floor_s * 1e6, timed.ceiling);
}

void verdict_judge(struct ceilings *ceilings, const struct ceiling_question *question, const struct result *untimed,
                   struct result *result)
{
    note_floor(ceilings, question, result);
    result_derive(result);
    if (is_impossible(question, result))
        fail_too_fast(untimed, result);
}
