/* Measures one row: finds the iterations per sample, warms up, and takes samples until the stopping rule says stop. */
#pragma once

#include "bench/base/statistics.h"
#include "mode.h"

enum { STOPPING_MIN_SAMPLES = 10, STOPPING_MAX_SAMPLES = 50000 };

/* Settled: half the width of the median's 95 % interval is at most this share of the median. */
#define STOPPING_RELATIVE_HALF_WIDTH 0.005
/* A row, with its warm-up, takes at most this many times min_time_s, or what STOPPING_INTERVAL_S says. No sample is
 * started that would not end in time if it took as long as the shortest one so far. */
#define STOPPING_BUDGET_FACTOR 10.0
/* So many seconds more for the samples that an interval needs, if they do not take longer: without one a row has no
 * rank. */
#define STOPPING_INTERVAL_S 1.0

enum stop_reason {
    STOP_NOT_YET,
    STOP_SETTLED,     /* "settled": the interval is narrow enough */
    STOP_TICK,        /* "tick": the interval is no wider than a tick, so more samples would not narrow it */
    STOP_BUDGET,      /* "budget": the time limit of the row */
    STOP_SAMPLES,     /* "samples": STOPPING_MAX_SAMPLES */
    STOP_ONE_SAMPLE,  /* "one-sample": no time for a second sample; the spread is unknown */
    STOP_FIXED,       /* "fixed": as many as were asked for */
    STOP_INTERRUPTED, /* "interrupted" */
};

struct row_progress {
    double sampled_s;  /* host time since the first recorded sample started, with all overhead */
    double elapsed_s;  /* host time since the row started, with warm-up */
    double shortest_s; /* host time of the shortest sample */
    double tick_s;     /* of the timer, divided by the iterations per sample */
    double interval_s; /* what the samples of an interval may take beyond the budget */
};

struct measure_settings {
    double min_time_s;        /* measured time that the row needs at least */
    double tick_s;            /* of the backend's timer */
    int samples;              /* so many, whatever they show; 0: the stopping rule decides */
    bool samples_are_calls;   /* one each */
    double min_warm_up_s;     /* at least, before the samples that count */
    double interval_s;        /* STOPPING_INTERVAL_S, or 0: an interval is not needed */
    int (*interrupted)(void); /* non-zero: stop after this sample */
};

struct measurement {
    struct statistics statistics; /* of seconds per iteration */
    double *sample_s;             /* the samples in the order of time; measurement_free() frees it */
    int64_t iterations;           /* per sample */
    enum stop_reason stop_reason;
    double upload_s, kernel_s, download_s; /* medians; NAN where the mode has none */
    double cpu_s;                          /* likewise */
    bool launch_bound;                     /* at least one sample was */
};

/* Returns NULL or an error message; free the measurement in either case. */
const char *measure_row(const struct mode *mode, const struct mode_context *context,
                        const struct measure_settings *settings, struct measurement *measurement);
void measurement_free(struct measurement *measurement);

/* --slowdown, to test that the gate detects it: slows a row by a known amount of real work in the timed region. Each
 * call of the rung is followed by one more launch, which spins for a set time. Sets in `context` the time that makes
 * the row `requested_pct` slower. To find it, it times the row without the extra launch and with one that ends
 * immediately, since that already costs something. `pct` is the actual slowdown: more than requested if the launch
 * alone costs more. Returns NULL or an error message. After an interruption neither the result nor `pct` is valid. */
const char *slowdown_calibrate(const struct mode *mode, struct mode_context *context,
                               const struct measure_settings *settings, double requested_pct, double *pct);

/* The stopping rule: whether the row has enough samples. `statistics` is NULL if not computed; then only time and
 * number of samples decide. */
enum stop_reason stopping_decide(double min_time_s, const struct row_progress *progress, size_t samples,
                                 const struct statistics *statistics);

/* The number of samples at which to compute statistics next. */
size_t stopping_next_check(size_t samples);

/* Seconds after which a process that has finished no row hangs: what verification and measurement of one row with so
 * many operations and bytes may take on a slow and busy machine, and more. Less for a kernel of the user's own.
 * `samples`: as in struct measure_settings. */
double stopping_row_limit_s(bool is_own_kernel, double min_time_s, int samples, double work);

const char *stop_reason_name(enum stop_reason reason);
