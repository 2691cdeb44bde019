/* CSV as RFC 4180 says, with a header: read as a table of cells, and written cell by cell. */
#pragma once

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct csv_table {
    char *text;           /* what the cells point into */
    char **cells;         /* row by row, the header first */
    size_t *lines;        /* on which line each row starts, from 1 */
    size_t columns, rows; /* rows without the header */
};

/* Reads the file at `path`; lines end in LF or CRLF, and a byte order mark of UTF-8 may come first. False: it cannot be
 * read, is no CSV, or is cut off; nothing is kept. */
bool csv_read(const char *path, struct csv_table *table, struct error *error);

/* The same of `bytes` bytes of text and a zero behind them, which it takes over and frees; `name` is what errors call
 * it. */
bool csv_parse(char *text, size_t bytes, const char *name, struct csv_table *table, struct error *error);

/* The same, but columns may share a name: the first is found by it. */
bool csv_parse_columns(char *text, size_t bytes, const char *name, struct csv_table *table, struct error *error);

void csv_free(struct csv_table *table);

enum { CSV_NO_COLUMN = -1 };

/* The place of a column, or CSV_NO_COLUMN. */
int csv_column(const struct csv_table *table, const char *name);

/* A cell of the row, from 0; empty where there is no such column. */
const char *csv_cell(const struct csv_table *table, size_t row, int column);

/* Writes the text as a cell, quoted where necessary. NULL writes an empty one. */
void csv_put_text(FILE *line, const char *text);
