/* The runner: takes a selection through prepare, verify and measure, and hands each result to the reporters. */
#ifndef RUNGBENCH_RUNNER_H
#define RUNGBENCH_RUNNER_H

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

/* Counts a result, and hands it to each of the reporters. False, with the reason, if one could not write. */
bool run_report(const struct result *result, const struct reporter *reporters, size_t count,
                struct run_outcome *outcome, struct error *error);

/* Runs the rows in order, but the baseline of each workload first, so that every row after it can say its speed-up. A
 * wrong rung ends in its rows; the others go on. Reporters are not ended. False, with the reason, if one could not
 * write. */
bool runner_run(const struct runner_settings *settings, const struct selection *selection, struct run_outcome *outcome,
                struct error *error);

#endif
