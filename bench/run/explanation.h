/* --explain: after the table, why each measured row is not faster; where NVIDIA's profiler is, Nsight Compute (ncu),
 * with what it counts in one launch: the few metrics that matter for what limits the row, in plain sentences. */
#pragma once

#include "bench/report/result.h"
#include "bench/select/selection.h"
#include "counters.h"

#include <stdio.h>

struct explanation {
    const struct selection *selection; /* in whose order rows are explained, rounds merged */
    FILE *to;
    char *const *flags; /* that every process of this program gets, ended by a NULL */
    int (*interrupted)(void);
    double (*now)(void);
    /* Its own: */
    char program[PATH_MAX]; /* this one: it is started again, with --profile */
    struct counters counters;
};

/* What is counted becomes the counters of the results. False, with the reason: it cannot be written. After an
 * interruption the rest is left out. */
bool explanation_print(struct explanation *explanation, struct result_list *results, struct error *error);

/* The sentences, and the row's counters, of what ncu has printed: a page "raw" as CSV, lines of other kinds around it.
 * False, with the reason: it has none, and what was printed is worth nothing. */
bool explanation_read_ncu(const char *text, struct result *row, FILE *to, struct error *error);
