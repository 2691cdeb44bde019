/* Files of results, read back, and what becomes of their rows: rounds merged, in order. */
#pragma once

#include "bench/base/csv_text.h"
#include "result.h"

/* The rows of a file, and what they point to. */
struct results_file {
    const char *path;
    struct csv_table table;
    struct run_facts *facts;
    struct device_info *devices;
    struct result_list results; /* those that were not slowed on purpose */
    size_t slowed_rows;
};

/* False: it is no file of results, as the error says. results_file_free() in any case. */
bool results_file_read(struct results_file *file, const struct registry *registry, struct error *error);
void results_file_free(struct results_file *file);

/* Merges the rounds of each row (merge_rounds.h); by workload, mode and rung. Workloads stand as they came. Sets the
 * places and the number of rounds of the results. False: a row is there twice, or from two devices; errors name the
 * file. result_list_free() `merged`. */
bool results_merge(struct result_list *results, const char *path, const struct registry *registry,
                   struct result_list *merged, struct error *error);
