/* Why a row is not faster, in plain sentences, from its columns only. */
#pragma once

#include "result.h"

#include <stdio.h>

/* Whether there are times to explain: of a row that was measured, and not on a simulator. */
bool explain_can(const struct result *row);

/* Prints the sentences of such a row, with a space after each. */
void explain_row(const struct result *row, FILE *to);

/* Whether the row's time is that of the kernel only: not with copies, as in e2e. */
bool explain_is_of_kernel(const struct result *row);

/* What limits the row according to its ceiling; memory where that is unknown, too. */
enum bound { BOUND_MEMORY, BOUND_FMA, BOUND_TENSOR_CORES };
enum bound explain_bound(const struct result *row);
