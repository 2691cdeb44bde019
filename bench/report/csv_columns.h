/* Which columns of a CSV file are those of a result. */
#pragma once

#include "bench/base/csv_table.h"
#include "column.h"

/* The place of each; CSV_NO_COLUMN where the file, which errors name, lacks it. False: it lacks one that all files
 * have. */
bool csv_columns_find(const struct csv_table *table, const char *file, int at[RESULT_COLUMNS], struct error *error);
