/* What a supervisor and its rounds go by. */
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
