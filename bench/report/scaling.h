/* How several GPUs that work on one problem stand to one GPU: at the same size (strong scaling), and where one has the
 * share of a size that each of them has (weak scaling). Of all rows of a run, rounds merged, in `hot`. */
#pragma once

#include "result.h"

#include <jansson.h>
#include <stdio.h>

/* A heading, and a line for each workload; nothing where there is none. */
void scaling_print(const struct result_list *rows, FILE *to);

/* docs/summary.md says what is in it. */
json_t *scaling_json(const struct result_list *rows);
