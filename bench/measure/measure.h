/* Measures one row: finds the iterations per sample, warms up, and takes samples until the stopping rule says stop. */
#pragma once

#include "bench/base/statistics.h"
#include "mode.h"
#include "stopping.h"

struct measure_settings {
    double min_time_s;        /* measured time that the row needs at least */
    double tick_s;            /* of the backend's timer */
    int samples;              /* so many, whatever they show; 0: the stopping rule decides */
    double interval_s;        /* STOPPING_INTERVAL_S, or 0: an interval is not needed */
    int (*interrupted)(void); /* non-zero: stop after this sample */
};

struct measurement {
    struct statistics statistics; /* of seconds per iteration */
    double *sample_s;             /* the samples in the order of time; measurement_free() frees it */
    int64_t iterations;           /* per sample */
    enum stop_reason stop_reason;
    double upload_s, kernel_s, download_s; /* medians; NAN where the mode has none */
    bool launch_bound;                     /* at least one sample was */
};

/* Returns NULL or an error message; free the measurement in either case. */
const char *measure_row(const struct mode *mode, const struct mode_context *context,
                        const struct measure_settings *settings, struct measurement *measurement);
void measurement_free(struct measurement *measurement);
