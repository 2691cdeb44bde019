/* Why a row is not faster, in plain sentences, from its columns only. */
#pragma once

#include "result.h"

#include <stdio.h>

/* Whether there is something to explain: of a row that was measured, or whose warps a simulator has counted. */
bool explain_can(const struct result *row);

/* Prints the sentences of such a row, with a space after each. */
void explain_row(const struct result *row, FILE *to);

/* Whether the row's time is that of the kernel only: not with copies, as in e2e. */
bool explain_is_of_kernel(const struct result *row);

/* What limits the row according to its ceiling; memory where that is unknown, too. */
enum bound { BOUND_MEMORY, BOUND_FMA, BOUND_TENSOR_CORES };
enum bound explain_bound(const struct result *row);

/* What a simulator has counted of the row's warps, by its number from 0: what is loaded, of each line whether it takes
 * much more than it needs, and whether variables spill. `text` is a sentence without a full stop, or empty where that
 * is nothing to speak of. False: there is no more. */
enum { EXPLAIN_LOADS };
bool explain_count(const struct result *row, int number, char *text, size_t size);

/* How often each byte of the input is loaded from global memory; NAN: unknown. */
double explain_loads(const struct result *row);
