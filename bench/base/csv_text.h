/* CSV cells, quoted as RFC 4180 says. */
#pragma once

#include <stdio.h>

/* Writes the text, quoted where necessary. NULL writes an empty cell. */
void csv_put_text(FILE *line, const char *text);
