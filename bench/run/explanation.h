/* --explain: after the table, why each measured row is not faster; where NVIDIA's profiler is, Nsight Compute (ncu),
 * with what it counts in one launch: the few metrics that matter for what limits the row, in plain sentences. */
#pragma once

#include "bench/report/result.h"

#include <stdio.h>

/* Rounds merged. `flags`: those that every process of this program gets, ended by a NULL: it is started again, with
 * --profile. What is counted becomes the counters of the results. False, with the reason: it cannot be written. After
 * an interruption the rest is left out. */
bool explanation_print(struct result_list *results, char *const *flags, FILE *to, struct error *error);
