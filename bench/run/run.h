/* A run in one process: open the backends, measure the rows, close the backends. */
#pragma once

#include "runner.h"

struct run {
    const struct options *options;
    const struct registry *registry;
    const struct mnist *mnist; /* NULL: random input */
    struct host_clock clock;
};

/* Opens the backends and, if `warns`, prints warnings about them to stderr. Returns EXIT_RIGHT, or another exit status
 * after a line on stderr; then nothing is open. */
int run_open(const struct run *run, bool warns, struct devices *devices);

/* Opens the backends, measures the rows, closes the backends. Returns an exit status; what kept it from starting has
 * been said on stderr. */
int run_measure(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                const struct reporter *reporters, size_t reporter_count, void (*step)(size_t done, const char *name));
