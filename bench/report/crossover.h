/* Per operation, the size from which the best rung of a device is faster than the host's, with transfers and without.
 */
#pragma once

#include "result_list.h"

#include <stdio.h>

/* A workload on which both sides have a best time. */
struct crossover_point {
    const struct result *host, *device;
    double gain; /* how many times faster the device is */
};

struct crossover {
    const char *op, *kind; /* "zip", "transposed": the word at the end of its shapes; empty: they have none */
    const char *what;      /* "with transfers" */
    const char *device_mode, *host_mode;
    const struct crossover_point *points; /* in order of size */
    size_t count;
};

/* False ends the visits: no memory. */
typedef bool crossover_visitor(void *self, const struct crossover *crossover);

/* Calls the visitor for each operation, or kind of it, with enough sizes, with transfers and without. False: no memory.
 */
bool crossover_each(const struct result_list *rows, crossover_visitor *visitor, void *self, struct error *error);

/* A line that says it. */
void crossover_print(FILE *to, const struct crossover *crossover);
