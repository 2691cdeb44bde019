#pragma once

#include <stdio.h>

/* Writes any text literally and on one line, also in a table. What is not UTF-8 becomes '?'. */
void markdown_put_text(FILE *to, const char *text);
