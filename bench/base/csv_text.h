/* Cells of CSV as RFC 4180 wants them. */
#ifndef RUNGBENCH_CSV_TEXT_H
#define RUNGBENCH_CSV_TEXT_H

#include <stdio.h>

/* The text, in quotes where it needs them; nothing for NULL. */
void csv_put_text(FILE *line, const char *text);

/* The number in nine digits; nothing for NAN. */
void csv_put_number(FILE *line, double value);

#endif
