/* The parts of a workload's block in the table for people, none wider than 80 columns. */
#pragma once

#include "standing.h"

#include <stdbool.h>
#include <stdio.h>

struct console_style {
    FILE *to;
    bool color;
};

/* What the workload is, by its first row. */
void console_heading(const struct console_style *style, const struct result *first);

/* The headings of the columns, and what the speed-ups are over, by the rows that are there. */
void console_columns(const struct console_style *style, const struct result_list *rows);

/* A row, which is one of those that are there: measured, verified or failed. */
void console_row(const struct console_style *style, const struct standings *standings, const struct result *row);

/* One line for each reason for which rows were skipped. */
void console_skipped(const struct console_style *style, const struct result_list *rows);

/* The best row of each mode, marked by *, and those that cannot be told from it, marked by =. */
void console_best(const struct console_style *style, const struct standings *standings);

/* The warnings that rows carry, and which rows. */
void console_marks(const struct console_style *style, const struct result_list *rows);
