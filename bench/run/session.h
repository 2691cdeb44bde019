/* A session: the backends opened, rows measured, the backends closed. All of it happens in one process. */
#ifndef RUNGBENCH_SESSION_H
#define RUNGBENCH_SESSION_H

#include "runner.h"

struct session {
    const struct options *options;
    const struct registry *registry;
    const struct mnist *mnist; /* NULL: random input */
    struct host_clock clock;
};

/* Opens the backends; the warnings about them are printed to stderr if this is the first round. Returns EXIT_RIGHT, or
 * after a line on stderr the exit status that says why not; then nothing is open. */
int session_open(const struct session *session, bool warns, struct devices *devices);

/* Measures the rows with the backends opened and closed for it. Returns an exit status; EXIT_USAGE and
 * EXIT_ALL_SKIPPED for what keeps it from beginning have been explained on stderr. */
int session_measure(const struct session *session, const struct selection *selection, const struct run_facts *facts,
                    const struct reporter *reporters, size_t reporter_count,
                    void (*step)(size_t done, const char *name));

#endif
