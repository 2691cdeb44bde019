/* Questions: how a kernel of the user's own is timed. Each sample has new inputs, which follow from a seed. The judge
 * stamps it on its own clock, draws places when the answer lies on the board, and computes what is right there. Nothing
 * can be remembered, since no question comes twice; nothing left out or computed later, since the sample that counts is
 * the one that is looked at; and no sample can be told from another. */
#pragma once

#include "bench/base/host.h"
#include "bench/measure/measure.h"
#include "bench/verify/verify.h"

enum { EMPTY_LENGTHS = 3 };

/* What calls of nothing show, before the kernel of the user's own is loaded. */
struct empty_calls {
    double hidden_s[EMPTY_LENGTHS]; /* what only the judge's clock sees of one, by its length: who waits longer wakes
                                       up later */
    double ahead_s;                 /* how long threads of the player worked before one */
    bool is_device_shared;          /* by another process, before a kernel that could say so was loaded */
};

struct questions {
    struct link *link;
    const struct rung *rung;
    const struct workload *workload;
    struct real_input real;
    struct host_clock clock;
    struct measure_settings settings; /* but for the tick */
    struct empty_calls empty;         /* of the workload */
};

struct answered {
    struct measurement measurement; /* free with measurement_free() */
    struct input_note note;
    struct check check;    /* wrong, or how near the answers were */
    char runs_as[64];      /* whose kernel ran in one of the samples; empty: its own */
    bool is_clock_unclear; /* the judge's clock saw more than the player's, but not for certain; or threads of the
                              kernel were at work before it was called */
};

/* Times empty calls on new questions; NANs where there is no answer. The rung is only what the problem is placed for.
 */
struct empty_calls questions_time_empty_calls(const struct questions *questions);

/* Places the problem with its outputs on the board, asks until the row has enough samples, and compares the clocks.
 * OUTCOME_DONE: `answered` has the verdict and the times. Else why not, in `answered->check`. */
enum outcome questions_ask(const struct questions *questions, struct answered *answered);
