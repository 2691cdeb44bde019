/* How several GPUs that work on one problem stand to one GPU: at the same size (strong scaling), and where one has the
 * share of a size that each of them has (weak scaling). Of all rows of a run, rounds merged, in `hot`. */
#pragma once

#include "result.h"

#include <jansson.h>

/* docs/summary.md says what is in it. */
json_t *scaling_json(const struct result_list *rows);
