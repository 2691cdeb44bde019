/* Rounds: fresh processes one after the other, each with its rows in a new order. The unit of a comparison is the
 * process, whose memory lies where it happens to lie (T. Kalibera and R. Jones, "Rigorous benchmarking in reasonable
 * time", ISMM 2013). The parent only forks, shuffles and gathers: a device that it had opened, or threads that it had
 * started, would not be there in a fork. */
#ifndef RUNGBENCH_ROUNDS_H
#define RUNGBENCH_ROUNDS_H

#include "bench/report/reporter.h"
#include "bench/select/selection.h"
#include "runner.h"

struct seen_device; /* results point to them */

struct rounds {
    const struct selection *selection;
    const struct run_facts *facts; /* round_count says how many */
    const struct reporter *reporters;
    size_t reporter_count;
    int (*interrupted)(void); /* the signal that came, or 0 */
    void (*step)(size_t done, const char *name);
    /* What a round does in its own process: measures the rows in the order given, and hands results to the reporter.
     * Returns the process's exit status; EXIT_USAGE or EXIT_ALL_SKIPPED without a result ends all rounds. */
    int (*measure)(const void *self, const struct selection *selection, const struct run_facts *facts,
                   const struct reporter *reporter, void (*step)(size_t done, const char *name));
    const void *self;
};

/* Runs the rounds. The rows of a round that crashed are reported: as failed the one that was running, as skipped those
 * that it did not come to. Returns an exit status; if EXIT_USAGE, `error` says what, or is empty where the round itself
 * has said it. Reporters are not ended. */
int rounds_run(const struct rounds *rounds, struct seen_device **devices, struct run_outcome *outcome,
               struct error *error);

/* For when all reporters have ended. */
void rounds_forget_devices(struct seen_device *devices);

#endif
