/* Selections for the tests of what goes by the order of rows. */
#pragma once

#include "bench/select/selection.h"

/* A selection of the rows of these names, op/workload/variant/mode. */
enum { SAMPLE_ROWS = 8 };
struct sample_selection {
    struct selection selection;
    char words[SAMPLE_ROWS][160];
    struct op ops[SAMPLE_ROWS];
    struct workload workloads[SAMPLE_ROWS];
    struct rung rungs[SAMPLE_ROWS];
    struct row rows[SAMPLE_ROWS];
};
void select_samples(const char *const *names, size_t count, struct sample_selection *made);
