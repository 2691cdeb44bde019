/* The supervisor: no rung runs in this process, and it opens no device. It starts this program anew as a worker that
 * measures, listens to it, and gathers. A worker that a rung ends, in whatever way, is followed by another for the rows
 * that are left.
 *
 * With --rounds each round has workers of its own. The unit of a comparison is the process: where its code, stack and
 * heap lie differs from one to the next (T. Kalibera and R. Jones, "Rigorous benchmarking in reasonable time", ISMM
 * 2013). */
#pragma once

#include "bench/base/output.h"
#include "bench/select/selection.h"
#include "judge.h"

struct supervisor {
    const char *program;
    char *const *flags; /* that every worker gets, ended by a NULL */
    const struct selection *selection;
    const struct run_facts *facts; /* round_count says how many; of several, each has an order of its own */
    double budget_s;               /* for all rounds together; INFINITY: none */
    double min_time_s;             /* of a row: says when a worker hangs */
    struct judge *judge;           /* gets the results and the ceilings */
    struct output *samples;        /* gets the samples of all rounds; its header is there already; NULL: none */
    double (*now)(void);           /* seconds */
    int (*interrupted)(void);      /* the signal that came, or 0 */
    void (*step)(size_t done, const char *name);
    void (*message)(const char *line); /* what workers, and rungs, print; notes only of the first */
};

/* Runs the rounds. In a round whose process a rung has ended, the row in progress fails, and the other rows of that
 * rung that are left. Where a worker ends before it begins a row, the rows that are left are skipped.
 *
 * Returns an exit status: EXIT_USAGE: `error` says what, or is empty where a worker has said it; EXIT_ALL_SKIPPED: a
 * worker had nothing to run; EXIT_WRONG: a worker ended as it should not; else EXIT_RIGHT, whatever the results are. */
int supervisor_run(const struct supervisor *supervisor, struct error *error);
