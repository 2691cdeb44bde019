/* Reads results from the CSV that report_csv writes. */
#pragma once

#include "bench/base/csv_text.h"
#include "bench/table/registry.h"
#include "result.h"

/* Reads row `row`, from 0. Texts are copied: the result points to `facts` and `device` and to nothing else; its device
 * is NULL if the row names none. Columns that an older file lacks are unknown; columns that are unknown here are
 * ignored.
 *
 * What is no column: is_host, is_library, unfair and baseline_mode come from result_classify(), with the backend and
 * the rung found in `registry`. The samples, round_count, start_s and round of the facts, and the notes and eviction
 * texts of the device are 0 or NULL.
 *
 * False: a cell has no valid value, or the backend or mode is unknown; the error names line and column. */
bool result_read(const struct csv_table *table, size_t row, const struct registry *registry, struct run_facts *facts,
                 struct device_info *device, struct result *result, struct error *error);
