/* Audits of a rung while it is timed: is its answer right for inputs that it has never seen, and does it need as long
 * for them as for inputs that it knows? */
#pragma once

#include "bench/measure/measure.h"
#include "bench/measure/mode.h"
#include "bench/place/host_problem.h"

struct audit {
    const struct mode *mode;
    struct mode_context *context; /* with its renewal */
    const struct host_problem *host_problem;
    bool on_host;    /* the clock is shared with other work */
    bool is_visited; /* audit_visit() was called */
    char text[512];  /* of the message */
};

/* All return NULL, or what is wrong with the rung, valid until the next call. */

/* Changes the inputs, where the mode uploads them also the host's copy. */
const char *audit_renew(struct audit *audit);

/* Checks the answer that is in the outputs. */
const char *audit_answer(struct audit *audit);

/* Changes the inputs, takes a sample and checks its answer. `visitor` is a struct audit (measure_settings). */
const char *audit_visit(void *visitor, int64_t iterations);

/* Makes up to `iterations` calls, so many at random, changes the inputs and checks the answer of one call more. */
const char *audit_call(struct audit *audit, int64_t iterations);

/* Whether the device went on working after the rung's stream had finished. Where the row has few samples, which a busy
 * host may have stretched, more are taken. */
const char *audit_finished(struct audit *audit, const struct measurement *measured);

/* Whether a call is so long that the audits make as few as they can. */
bool audit_is_long(double call_s, double min_time_s);

/* Takes samples as the row did, on new inputs, until one is about as short as those of the row; all answers must be
 * right. A rung that can tell how it is timed from how it is checked gains nothing. */
const char *audit_again(struct audit *audit, int64_t iterations, double call_s);

/* Makes batches of about `iterations` calls, eight at least, as short after each other as when they are
 * timed, where the mode makes such. One element of the inputs changes before each call, and is as ever before the last
 * one, whose answer is checked: a rung that rests between calls in a hurry is wrong. Such calls may not take longer
 * than those of a batch without changes, but for what a change costs: a rung may see that it is no longer in a hurry. A
 * simulator's times are nobody's. Not for modes whose calls find the caches cold. */
const char *audit_hurry(struct audit *audit, int64_t iterations, double min_time_s);

/* Times calls on inputs that are new each time, and calls for which the same values are written again. A rung that
 * needs longer for new inputs keeps something, and its time for inputs that it knows is no result. The last answer is
 * checked in a few elements. In modes whose calls find the caches cold, this is done as in hot. `call_s`: the row's
 * time. */
const char *audit_time(struct audit *audit, double call_s, double min_time_s);

/* Brings the original inputs back. */
const char *audit_end(struct audit *audit);
