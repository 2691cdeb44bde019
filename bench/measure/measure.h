/* Measures one row: calibrates, warms up, samples until the stopping rule is content. */
#ifndef RUNGBENCH_MEASURE_H
#define RUNGBENCH_MEASURE_H

#include "bench/base/statistics.h"
#include "mode.h"
#include "stopping.h"

struct measure_settings {
    double min_time_s;
    double tick_s;            /* of the backend's timer */
    int (*interrupted)(void); /* non-zero: stop after this sample */
};

struct measurement {
    struct statistics statistics; /* of seconds an iteration */
    double *sample_s;             /* the samples in the order in which they were taken; measurement_free() frees it */
    int64_t iterations;           /* in each sample */
    enum stop_reason stop_reason;
    double upload_s, kernel_s, download_s; /* medians; NAN where the mode has none */
    bool launch_bound;                     /* some sample was */
};

/* NULL, or what went wrong; the measurement is to be freed in either case. */
const char *measure_row(const struct mode *mode, const struct mode_context *context,
                        const struct measure_settings *settings, struct measurement *measurement);
void measurement_free(struct measurement *measurement);

#endif
