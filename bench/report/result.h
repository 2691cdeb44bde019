/* A result: what one row of the table or the CSV says. Plain data; the runner makes it, reporters only write it. */
#ifndef RUNGBENCH_RESULT_H
#define RUNGBENCH_RESULT_H

#include "bench/base/statistics.h"
#include "bench/measure/conditions.h"
#include "bench/table/backend.h"
#include "bench/table/rung.h"

#include <stdint.h>

enum { RESULT_SCHEMA = 1 };

enum status { STATUS_OK, STATUS_SKIPPED, STATUS_FAILED };

/* The same for all rows of a run in one process. */
struct run_facts {
    char host[128];
    const char *git_revision;
    char timestamp[32];
    char session[48];
    uint64_t seed;
    double start_s;         /* of the whole run, on the host's clock */
    int round, round_count; /* this process is the round-th, from 0; this run has so many */
};

/* Texts may be empty, numbers NAN: unknown, an empty cell. */
struct result {
    const struct run_facts *run;
    const struct device_info *device; /* NULL where the backend could not be opened */
    const char *op, *workload, *variant, *backend, *precision, *mode;
    const char *baseline_mode; /* in which mode speed-ups compare; empty: in none */
    char name[160];
    char shape[64];
    enum status status;
    char reason[512];
    bool is_host;       /* ran where the host's memory is */
    const char *unfair; /* why it is never called best: "tf32", "simulated"; empty: it may be */
    int round;          /* from 0 */
    int round_count;
    /* Of the timed calls. */
    struct statistics statistics;
    int64_t iterations; /* in each sample */
    const char *stop_reason;
    double tick_s;
    double upload_s, kernel_s, download_s;
    const char *transfer;
    bool launch_bound;
    char flush[16];
    const double *sample_s; /* statistics.count of them, seconds an iteration, in the order in which they were taken */
    double bytes, flops;
    double empty_kernel_s; /* what an empty kernel takes in this mode; it is in the times too */
    double floor_s;        /* no rung can be faster here, and this says by what: "read", "copy", "fma", "transfer" */
    const char *ceiling;
    struct conditions conditions;
    const char *baseline;
    double speedup;
    double slowdown_pct; /* that was put into its time on purpose: then it is no result; NAN: none was */
    double max_abs_err, err_bound, rms_err;
    char input[96];
};

/* Per second, from the median; NAN where unknown. */
double result_gflops(const struct result *result);
double result_bandwidth_gbs(const struct result *result);

/* The share of the device's ceiling that the row reaches, in per cent. */
double result_ceiling_pct(const struct result *result);

/* Cycles of the multiprocessors' clock in the median time; NAN for a row of the host's. */
double result_sm_cycles(const struct result *result);

/* Whether its time may be called best, and others may be compared with it. */
bool result_is_fair(const struct result *result);

/* Calls in all samples together. */
int64_t result_total_iterations(const struct result *result);

const char *status_name(enum status status);
const char *precision_name(enum precision precision);

#endif
