/* Merges the results of all rounds into one result per row: medians over the rounds, and their spread. */
#pragma once

#include "bench/select/selection.h"
#include "reporter.h"

/* A reporter in front of others. It takes results of any round in any order; except for samples, what they point to
 * must outlive it. At its end it passes one result per row, in the selection's order, to the reporters behind it, and
 * ends them. merge_rounds.h says how they are merged. */
struct round_summary;
struct round_summary *round_summary_make(const struct selection *selection, const struct reporter *after,
                                         size_t count); /* NULL: no memory */
bool round_summary_result(void *self, const struct result *result, struct error *error);
bool round_summary_end(void *self, struct error *error); /* frees it too */
