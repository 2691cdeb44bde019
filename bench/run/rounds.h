/* Rounds: processes of this program one after the other, each with its rows in a new order. The unit of a comparison is
 * the process: where its code, stack and heap lie differs from one to the next (T. Kalibera and R. Jones, "Rigorous
 * benchmarking in reasonable time", ISMM 2013). The parent only starts, listens and gathers: it opens no device. */
#pragma once

#include "bench/base/output.h"
#include "bench/report/reporter.h"
#include "bench/select/selection.h"
#include "runner.h"

struct seen_device; /* results point to them */

struct rounds {
    const char *program;
    char *const *flags; /* that every round gets, ended by a NULL */
    const struct selection *selection;
    const struct registry *registry;
    const struct run_facts *facts; /* round_count says how many */
    double budget_s;               /* for all rounds together; INFINITY: none */
    double row_limit_s;            /* a process that is silent for longer hangs, and is killed */
    const struct reporter *reporters;
    size_t reporter_count;
    struct output *samples;   /* gets the samples of all rounds; its header is there already; NULL: none */
    double (*now)(void);      /* seconds */
    int (*interrupted)(void); /* the signal that came, or 0 */
    void (*step)(size_t done, const char *name);
    void (*message)(const char *line); /* what rounds say on stderr; notes only of the first */
};

/* Runs the rounds. The rows of a round that crashed or hung are reported: as failed the one that was running, as
 * skipped those that it did not come to. Returns an exit status; if EXIT_USAGE, `error` says what, or is empty where
 * a round has said it. Reporters are not ended. */
int rounds_run(const struct rounds *rounds, struct seen_device **devices, struct run_outcome *outcome,
               struct error *error);

/* The limit of the longest row. */
double rounds_row_limit_s(const struct selection *selection, double min_time_s);

/* For when all reporters have ended. */
void rounds_forget_devices(struct seen_device *devices);
