/* CSV files of rungbench for tests of the gate: rows are equal except for the cells that a test sets. */
#pragma once

#include "bench/gate/recording.h"

#include <stdbool.h>
#include <stddef.h>

enum { GATE_ROWS_MAX = 64, GATE_CELLS_MAX = 40, GATE_CELL_SIZE = 72, GATE_TEXT_MAX = 1 << 17 };

struct gate_rows {
    char cells[GATE_ROWS_MAX][GATE_CELLS_MAX][GATE_CELL_SIZE];
    size_t count;
    const char *without; /* a column that is missing in the file; NULL: none */
};

/* Names of a GPU row and of a CPU row. */
#define GATE_GPU_ROW "matmul/mnist/cuda_tiled/hot"
#define GATE_CPU_ROW "matmul/mnist/cpu_tuned/hot"

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

/* Writes a text to a file. */
void gate_put(const char *path, const char *text);
