/* The columns of columns.def as data, for the CSV, its reader, JSON and the summary of rounds. */
#pragma once

#include "bench/base/csv_text.h"
#include "bench/table/registry.h"
#include "result.h"

#include <jansson.h>

/* The words of columns.def; it says what they mean. */
enum column_type { TYPE_TEXT, TYPE_KNOWN, TYPE_NUMBER, TYPE_POSITIVE, TYPE_COUNT, TYPE_WHOLE, TYPE_FLAG, TYPE_STATUS };
enum column_part { PART_result, PART_run_facts, PART_device_info };
enum merge {
    MERGE_SAME,
    MERGE_MEDIAN,
    MERGE_LEAST,
    MERGE_DERIVED,
    MERGE_FIRST,
    MERGE_WORST,
    MERGE_JOINED,
    MERGE_DROPPED
};
enum json_place { JSON_IN_ENTRY, JSON_IN_CONTEXT, JSON_BY_HAND };
enum gate_use { GATE_OPTIONAL, GATE_NEEDED, GATE_WORK, GATE_MACHINE, GATE_HOST };

struct column {
    const char *name;
    enum column_type type;
    const char *unit;
    enum merge merge;
    enum json_place json;
    const char *key; /* in JSON; NULL: the name */
    enum gate_use gate;
    const char *meaning;
    enum column_part part; /* that has the member, */
    size_t offset, size;   /* which is there */
};

/* In the order of the CSV. */
enum column_id {
#define COLUMN(name, ...) COLUMN_##name,
#include "columns.def"
    RESULT_COLUMNS
};
extern const struct column result_columns[RESULT_COLUMNS];

/* Where each column is in a CSV file; CSV_NO_COLUMN where the file, which errors name, lacks it. False: it lacks one
 * that all files have. */
bool columns_find(const struct csv_table *table, const char *file, int at[RESULT_COLUMNS], struct error *error);

/* A result with every column unknown. */
struct result result_blank(void);

/* Makes unknown what timing has filled; identity and the check of the answer stay. */
void result_forget_times(struct result *result);

/* The value of a numeric column; NAN: unknown. */
double column_number(const struct column *column, const struct result *result);

/* The text of its cell, before CSV quoting; empty: unknown. Points into the result or to `buffer`. */
enum { COLUMN_BUFFER = 32 };
const char *column_text(const struct column *column, const struct result *result, char buffer[COLUMN_BUFFER]);

/* The reverse: sets the member in `part`, the struct that has it. False, and nothing set: the text is no value of the
 * column, or too long for it. */
bool column_parse(const struct column *column, const char *text, void *part);

/* Sets a member to the column's value, or none if it is unknown. An integer that is always known, as the seed is,
 * becomes a text: readers may take a number for one of 53 bits. False: no memory. */
bool json_put_column(json_t *to, const char *key, const struct column *column, const struct result *result);

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
