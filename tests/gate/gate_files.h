/* CSV files of rungbench for tests of the gate, whose rows are equal except for the cells that a test sets, and the
 * comparison of two. */
#pragma once

#include "bench/gate/comparison.h"
#include "bench/gate/read/read.h"

enum { GATE_ROWS_MAX = 320, GATE_CELLS_MAX = 50, GATE_CELL_SIZE = 72, GATE_TEXT_MAX = 1 << 18 };

struct gate_rows {
    char cells[GATE_ROWS_MAX][GATE_CELLS_MAX][GATE_CELL_SIZE];
    size_t count;
    const char *without; /* a column that is missing in the file; NULL: none */
};

/* Names of a GPU row and of a CPU row. */
#define GATE_GPU_ROW "matmul/mnist/cuda_tiled/hot"
#define GATE_CPU_ROW "matmul/mnist/cpu_auto/hot"

/* Adds a row with status ok: gate_row(rows, name, round, time_s), followed by pairs of a column and its value. */
#define gate_row(...) gate_row_with(__VA_ARGS__, (const char *)NULL)
void gate_row_with(struct gate_rows *rows, const char *name, int round, double time_s, ...);

/* Adds rounds 0 to 9 of a row: gate_rounds(rows, name, time_s, step), followed by the same pairs. Times rise by `step`
 * * `time_s` per round. */
#define gate_rounds(...) gate_rounds_with(__VA_ARGS__, (const char *)NULL)
void gate_rounds_with(struct gate_rows *rows, const char *name, double time_s, double step, ...);

/* Sets a cell of the last row, or of all rows. */
void gate_set(struct gate_rows *rows, const char *column, const char *value);
void gate_set_all(struct gate_rows *rows, const char *column, const char *value);

/* A cell of the last row; empty if there is no such column. */
const char *gate_cell(const struct gate_rows *rows, const char *column);

/* The text of the file; free() it. */
char *gate_text(const struct gate_rows *rows);

/* Reads the rows as a file with this name. */
bool gate_record(const struct gate_rows *rows, const char *name, struct recording *recording, struct error *error);

/* The rows of base.csv and new.csv, and their comparison after gate_compare(). */
extern struct gate_rows base_rows, new_rows;
extern struct gate_options compare_options;
extern const struct exceptions *compare_exceptions;
extern struct comparison compared;

/* Set-up and tear-down of each test: empty files and default settings; frees the comparison. */
int gate_files_start(void **state);
int gate_files_end(void **state);

/* Adds rounds 0 to 9 of a row to both files; times in the new file are multiplied by `ratio`. */
void gate_add_to_both(const char *name, double ratio);

/* Makes the new file one of another sitting, so that rounds are not paired. */
void gate_unpair(void);

/* Compare the files and expect success, or this error. */
void gate_compare(void);
void gate_assert_refused(const char *expected);

/* Decides the rows that gate_compare() has left open. */
void gate_decide(double level, bool other_device);

/* The row with this name. */
const struct compared_row *gate_compared(const char *name);
