#include "csv_columns.h"

bool csv_columns_find(const struct csv_table *table, const char *file, int at[RESULT_COLUMNS], struct error *error)
{
    const char *missing = NULL;
    for (int i = 0; i < RESULT_COLUMNS; i++) {
        at[i] = csv_column(table, result_columns[i].name);
        if (at[i] == CSV_NO_COLUMN && result_columns[i].gate != GATE_OPTIONAL && !missing)
            missing = result_columns[i].name;
    }
    return !missing ||
           error_set(error, "%s: no column '%s', expected a CSV file that rungbench --out wrote", file, missing);
}
