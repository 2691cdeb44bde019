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

/* Whether a line takes much more than it needs; and the sentence that says what it takes, without a full stop. */
bool explain_is_waste(const struct warp_line *line);
void explain_line(const struct warp_line *line, char *text, size_t size);

/* Whether a thread has more variables than its registers hold; and what is said of that. */
bool explain_spills(const struct warp_accesses *warps);
void explain_spill(const struct warp_accesses *warps, char *text, size_t size);

/* How often each byte of the input is loaded from global memory, if that is known; and the sentence, with the lines. */
bool explain_knows_loads(const struct result *row);
double explain_loads_of(const struct result *row);
void explain_loads(const struct result *row, char *text, size_t size);
