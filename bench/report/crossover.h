/* Per operation, the size from which the best rung of a device is faster than the host's, with transfers and without:
 * where at least three sizes have a time on both sides. Of all rows of a run, rounds merged. */
#pragma once

#include "result.h"

#include <jansson.h>
#include <stdio.h>

/* A header, and a line for each operation, comparison and workload; the number of these. */
size_t crossovers_print_csv(const struct result_list *rows, FILE *to);

/* docs/summary.md says what is in it. */
json_t *crossovers_json(const struct result_list *rows);
