/* What the words of the console's table mean. */
#pragma once

#include "result.h"

#include <stdio.h>

/* Three lines at most about those that are in the table of these rows, which have these marks, separated by spaces. */
void legend_print(const struct result_list *rows, const char *marks, FILE *to);

/* All, for --help. */
void legend_print_all(FILE *to);
