/* When has a row been measured enough? */
#ifndef RUNGBENCH_STOPPING_H
#define RUNGBENCH_STOPPING_H

#include "bench/base/statistics.h"

#include <stdbool.h>

enum { STOPPING_MIN_SAMPLES = 10, STOPPING_MAX_SAMPLES = 50000 };

/* Half the 95 % interval of the median may be this share of the median. */
#define STOPPING_RELATIVE_HALF_WIDTH 0.005
/* A row takes at most this many times the time that it needs at least: warm-up and all, and no sample is begun that
 * would not end in time if it took as long as the shortest before it. */
#define STOPPING_BUDGET_FACTOR 10.0

enum stop_reason {
    STOP_NOT_YET,
    STOP_SETTLED,     /* "settled": the interval is narrow enough */
    STOP_TICK,        /* "tick": it is no wider than a tick of the timer, so more samples would not make it narrower */
    STOP_BUDGET,      /* "budget": its time is spent */
    STOP_SAMPLES,     /* "samples": there are as many as are kept */
    STOP_ONE_SAMPLE,  /* "one-sample": there is time for no second one; the spread is unknown */
    STOP_INTERRUPTED, /* "interrupted" */
};

struct row_progress {
    double sampled_s;  /* on the host's clock since the first sample that is kept began, overheads included */
    double elapsed_s;  /* since the row began: warm-up too */
    double shortest_s; /* what the shortest sample took of that */
    double tick_s;     /* of the timer, for one iteration */
};

/* `statistics` may be NULL where they have not been computed: then only what needs none is decided. */
enum stop_reason stopping_decide(double min_time_s, const struct row_progress *progress, size_t samples,
                                 const struct statistics *statistics);

/* The next number of samples at which computing statistics pays. */
size_t stopping_next_look(size_t samples);

/* Seconds after which a process that has finished no row hangs: what verification and measurement of one row of `flops`
 * operations may take on a slow and busy machine, and more. */
double stopping_row_limit_s(double min_time_s, double flops);

const char *stop_reason_name(enum stop_reason reason);

#endif
