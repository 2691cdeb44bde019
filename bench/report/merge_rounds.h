/* The results of all rounds as one result per row: medians over the rounds, and their spread. */
#pragma once

#include "bench/select/selection.h"
#include "result.h"

/* The results of one row, by sitting and round. They stay the list's. */
struct rounds {
    const struct result *const *items;
    size_t count;
};

/* All results by name, sitting and round; free() it. */
const struct result **rounds_sorted(const struct result_list *results);

/* Those of that name, among the `count` that were sorted. */
struct rounds rounds_of(const struct result *const *sorted, size_t count, const char *name);

/* By sitting and round, as for qsort(). */
int rounds_compare(const struct result *a, const struct result *b);

/* The name of row `i` of those that are wanted, into `text`. */
typedef void row_namer(const void *rows, size_t i, char *text, size_t size);

/* Merges the rounds of each of `count` rows and adds them to `merged` in this order; rows without a result are left
 * out. A row has failed if it failed in any round; otherwise it is ok if it was ok in any, with a mark if not in all.
 * Its statistics are those of the rounds' medians, its floor is that of the best ceiling that any row of its workload
 * saw, its speed-up is unknown (standing.h has it), and the rest is merged as columns.def says. */
void merge_rounds(const struct result_list *results, row_namer *name, const void *rows, size_t count,
                  struct result_list *merged);

/* The same of the rows of a selection. */
void merge_selection(const struct result_list *results, const struct selection *selection, struct result_list *merged);
