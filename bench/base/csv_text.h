/* CSV cells, quoted as RFC 4180 says. */
#ifndef RUNGBENCH_CSV_TEXT_H
#define RUNGBENCH_CSV_TEXT_H

#include <stdio.h>

/* Writes the text, quoted where necessary. NULL writes an empty cell. */
void csv_put_text(FILE *line, const char *text);

#endif
