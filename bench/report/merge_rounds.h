/* The results of all rounds as one result per row: medians over the rounds, and their spread. */
#pragma once

#include "result.h"

/* The results of one row, by sitting and round. They stay the list's. */
struct rounds {
    const struct result *const *items;
    size_t count;
};

/* All results by the place of their row, its name, sitting and round; free() it. */
const struct result **rounds_sorted(const struct result_list *results);

/* Those of one row, from `first` on among the `count` that were sorted. */
struct rounds rounds_at(const struct result *const *sorted, size_t count, size_t first);

/* By sitting and round, as for qsort(). */
int rounds_compare(const struct result *a, const struct result *b);

/* Merges the rounds of each row, and adds the rows to `merged` by their places. A row has failed if it failed in any
 * round; otherwise it is ok if it was ok in any, with a mark if not in all. Its statistics are those of the rounds'
 * medians, its floor is that of the best ceiling that any row of its workload saw, its speed-up is unknown (standing.h
 * has it), and the rest is merged as columns.def says. */
void merge_rounds(const struct result_list *results, struct result_list *merged);
