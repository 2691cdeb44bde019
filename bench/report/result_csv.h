/* Results read back from the CSV that report_csv wrote. */
#ifndef RUNGBENCH_RESULT_CSV_H
#define RUNGBENCH_RESULT_CSV_H

#include "bench/base/csv_table.h"
#include "bench/table/registry.h"
#include "result.h"

/* Reads row `row`, from 0. Texts are copied, so that the result needs `facts` and `device` alone, which it points to;
 * its device is NULL where the row names none. Columns that the table lacks, as one of an earlier version does, are
 * unknown; columns that are not known here are passed over.
 *
 * Not in the CSV, but in the result all the same, by result_classify(): is_host, unfair and baseline_mode, from the
 * columns backend (an entry of `registry`), precision and mode.
 * Not in the CSV, and 0 or NULL: the samples; round_count; of the facts their start_s, round and round_count; of the
 * device what is no column (its notes, its ways to empty the cache).
 *
 * False: a cell holds what cannot be there, or backend or mode are unknown; the error names line and column. */
bool result_read(const struct csv_table *table, size_t row, const struct registry *registry, struct run_facts *facts,
                 struct device_info *device, struct result *result, struct error *error);

#endif
