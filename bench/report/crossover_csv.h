/* Where a device overtakes the host, as CSV. */
#pragma once

#include "result_list.h"

#include <stdio.h>

/* Prints a header, and a line for each operation, comparison and workload of crossover.h; `lines` becomes their number.
 * False: no memory. */
bool crossover_csv_print(const struct result_list *rows, FILE *to, size_t *lines, struct error *error);
