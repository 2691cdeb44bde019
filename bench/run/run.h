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

/* What operations write besides results: opens it, or finishes it, or throws it away where there is nothing to write.
 */
bool run_begin_ops(const struct registry *registry, struct error *error);
bool run_finish_ops(const struct registry *registry, struct error *error);

/* Who hears of a run. */
struct run_listener {
    const struct reporter *reporters; /* get the results early, as runner_run() says */
    size_t reporter_count;
    void (*step)(size_t done, const char *name);
    void (*tell)(void *self, const struct ceiling *measured);
    void *self;
};

/* Opens the backends, measures the rows, closes the backends. Returns an exit status; what kept it from starting has
 * been said on stderr. */
int run_measure(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                const struct run_listener *listener);
