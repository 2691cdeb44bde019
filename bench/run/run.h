/* What a run has to do, and with what. */
#pragma once

#include "bench/base/host.h"
#include "bench/data/mnist.h"
#include "bench/place/devices.h"
#include "bench/select/options.h"

struct run {
    const struct options *options;
    const struct registry *registry;
    const struct mnist *mnist; /* NULL: random input */
    struct host_clock clock;
};

/* Opens the backends in this process, for inspections. Returns EXIT_RIGHT, or another exit status after a line on
 * stderr; then nothing is open. */
int run_open(const struct run *run, struct devices *devices);

/* What operations write besides results: opens it, or finishes it, or throws it away where there is nothing to write.
 */
bool run_begin_ops(const struct registry *registry, struct error *error);
bool run_finish_ops(const struct registry *registry, struct error *error);

/* Answers the judge that has started this process. Returns an exit status. */
int run_player(const struct run *run);
