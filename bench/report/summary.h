/* A file of results as one JSON document: rounds merged, and everything decided that charts and page show.
 * docs/summary.md says what is in it. */
#pragma once

#include "bench/table/registry.h"

#include <stdio.h>

/* The table of rungs: its order, its summaries, and the sources, up to one without a rung (NULL: unknown). */
struct summary_table {
    const struct registry *registry;
    const struct rung_source *sources;
};

enum summary {
    SUMMARY_ALL,       /* the document */
    SUMMARY_CROSSOVERS /* of the file, as CSV: a line per operation, comparison and workload */
};

/* Writes that of the CSV file at `path` to `to`. The exit status: 77 where no row has a time, or there is no crossover;
 * 2, with the reason in `error`, where the file is no file of results. */
int summary_print(const char *path, const struct summary_table *table, enum summary what, FILE *to,
                  struct error *error);
