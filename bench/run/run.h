/* A session: the backends opened, rows measured, the backends closed. All of it happens in one process. */
#ifndef RUNGBENCH_RUN_H
#define RUNGBENCH_RUN_H

#include "runner.h"

struct run {
    const struct options *options;
    const struct registry *registry;
    const struct mnist *mnist; /* NULL: random input */
    struct host_clock clock;
};

/* Opens the backends; the warnings about them are printed to stderr if this is the first round. Returns EXIT_RIGHT, or
 * after a line on stderr the exit status that says why not; then nothing is open. */
int run_open(const struct run *run, bool warns, struct devices *devices);

/* Measures the rows with the backends opened and closed for it. Returns an exit status; EXIT_USAGE and
 * EXIT_ALL_SKIPPED for what keeps it from beginning have been explained on stderr. */
int run_measure(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                const struct reporter *reporters, size_t reporter_count, void (*step)(size_t done, const char *name));

#endif
