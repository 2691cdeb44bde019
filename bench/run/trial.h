/* A trial: one rung on one workload in device memory in one mode, and its result. */
#pragma once

#include "bench/measure/ceilings.h"
#include "bench/place/device_problem.h"
#include "bench/place/devices.h"
#include "bench/report/result.h"
#include "bench/select/options.h"
#include "bench/select/selection.h"

struct trial {
    const struct options *options;
    const struct devices *devices;
    const struct run_facts *facts;
    struct host_problem *host_problem;
    struct device_problem *device_problem; /* on the rung's backend, when something is measured */
    struct ceilings *ceilings;             /* NULL: none is measured */
    const struct host_clock *clock;
    struct kernel_launches launches; /* of a call of the rung */
    const char *runs_as;             /* the rung whose kernel the rung runs instead of its own; NULL: its own */
};

/* A result with the identity of the row; everything measured is unknown. */
struct result trial_blank(const struct trial *trial, const struct row *row);

/* What verification found, without times. */
struct result trial_verified(const struct trial *trial, const struct row *row, const struct check *verified);

/* A row that failed, with the reason, and has no times. */
struct result trial_failed(const struct trial *trial, const struct row *row, const struct check *check);

/* Measures a rung whose verified answer is in `host_problem`, and compares what the timed calls left with that answer.
 * False: interrupted, no result. Measures the ceilings of the row too, but does not judge it by them. The caller frees
 * the measurement in either case: the result's samples point into it. */
bool trial_measure(const struct trial *trial, const struct row *row, const struct check *verified,
                   struct measurement *measured, struct result *result);
