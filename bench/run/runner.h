/* The runner: prepares, verifies and measures a selection, and passes each result to the reporters. */
#pragma once

#include "bench/measure/builtin_rung.h"
#include "bench/ops/mnist.h"
#include "bench/place/devices.h"
#include "bench/report/reporter.h"
#include "bench/select/options.h"
#include "bench/select/selection.h"

struct runner_settings {
    const struct options *options;
    const struct registry *registry;
    const struct devices *devices;
    const struct mnist *mnist; /* NULL: random input */
    const struct run_facts *facts;
    const struct reporter *reporters;
    size_t reporter_count;
    struct host_clock clock;
    void (*step)(size_t done, const char *name); /* called before each row */
};

struct run_outcome {
    size_t ok, skipped, failed;
};

/* How many rows have a result. */
size_t run_outcome_rows(const struct run_outcome *outcome);

/* The exit status that follows from it. */
int run_outcome_status(const struct run_outcome *outcome);

/* Counts a result and passes it to the reporters. False, with the reason, if one could not write. */
bool run_report(const struct result *result, const struct reporter *reporters, size_t count,
                struct run_outcome *outcome, struct error *error);

/* Runs the rows in order, but each workload's baseline first, so that the other rows have a speed-up. A wrong rung
 * fails its own rows only. Does not end the reporters. False, with the reason, if one could not write. */
bool runner_run(const struct runner_settings *settings, const struct selection *selection, struct run_outcome *outcome,
                struct error *error);
