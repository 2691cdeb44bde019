/* Regular expressions over names of rows: POSIX extended ones, of a size that regcomp() takes without harm. */
#pragma once

#include "error.h"

#include <regex.h>
#include <stddef.h>

enum {
    ROW_REGEX_BYTES_MAX = 1 << 16,
    ROW_REGEX_DEPTH_MAX = 100,    /* of parentheses: regcomp() calls itself for each */
    ROW_REGEX_COPIES_MAX = 10000, /* regcomp() copies what {N,M} and + repeat */
};

/* Compiles the first `bytes` bytes of `pattern`, without places of matches. False, with the reason (why it is none, and
 * not what it is). */
bool row_regex_compile(const char *pattern, size_t bytes, regex_t *regex, struct error *reason);

/* The same, to match whole names. */
bool row_regex_compile_whole(const char *pattern, regex_t *regex, struct error *reason);

/* Whether the name matches. */
bool row_regex_matches(const regex_t *regex, const char *name);
