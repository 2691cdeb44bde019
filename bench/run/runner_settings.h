/* What a run of the runner is given. */
#pragma once

#include "bench/base/host.h"
#include "bench/measure/ceiling_table.h"
#include "bench/ops/mnist.h"
#include "bench/place/devices.h"
#include "bench/report/reporter.h"
#include "bench/select/options.h"

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
