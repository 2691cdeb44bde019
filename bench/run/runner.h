/* The runner: prepares, verifies and measures a selection, and passes each result to the reporters. */
#pragma once

#include "bench/base/host.h"
#include "bench/measure/ceiling_table.h"
#include "bench/ops/mnist.h"
#include "bench/place/devices.h"
#include "bench/report/reporter.h"
#include "bench/select/options.h"
#include "bench/select/selection.h"
#include "outcome.h"

struct runner_settings {
    const struct options *options;
    const struct registry *registry;
    const struct devices *devices;
    const struct mnist *mnist; /* NULL: random input */
    const struct run_facts *facts;
    const struct reporter *reporters;
    size_t reporter_count;
    struct host_clock clock;
    void (*step)(size_t done, const char *name);              /* called before each row */
    void (*tell)(void *self, const struct ceiling *measured); /* gets each ceiling; NULL: nobody does */
    void *tell_self;
    /* Stops after a rung that failed: what it left behind in this process (an error of the device, a thread) must not
     * be blamed on the next one, which another process runs. */
    bool ends_after_failure;
};

/* Runs the rows in order, but each workload's baseline first, so that the other rows have a speed-up; rows that are
 * done are left out. A wrong rung fails its own rows only. Reporters get the results early, without speed-up and
 * verdict, and are not ended. False, with the reason, if one could not write. */
bool runner_run(const struct runner_settings *settings, const struct selection *selection, struct run_outcome *outcome,
                struct error *error);
