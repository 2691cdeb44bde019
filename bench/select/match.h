/* --match: a filter for the names that scripts have. */
#pragma once

#include "bench/base/error.h"

#include <stdio.h>

/* Prints the lines of `from` that match the pattern. False, with the reason: it is none. */
bool match_lines(const char *pattern, FILE *from, FILE *to, struct error *error);
