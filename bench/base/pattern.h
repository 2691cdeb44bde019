/* Patterns over names of rows: POSIX extended regular expressions as RE2 reads them, a byte being a character. RE2 does
 * not backtrack: matching takes time in proportion to the name, and a bounded amount of memory. */
#pragma once

#include "error.h"

#include <stddef.h>

struct pattern;

/* What of a name must match: a part, or all; or a part must not where the text begins with '-', as in Google Benchmark.
 */
enum pattern_extent { PATTERN_PART, PATTERN_WHOLE, PATTERN_FILTER };

/* Makes one of the first `bytes` bytes of `text`. NULL, with the reason: it is none, or too large. */
struct pattern *pattern_make(const char *text, size_t bytes, enum pattern_extent extent, struct error *reason);
void pattern_free(struct pattern *pattern); /* NULL: does nothing */

/* Without memory for it, the program ends with EXIT_USAGE. */
bool pattern_matches(const struct pattern *pattern, const char *name);

/* A part of some text. */
struct part {
    const char *at;
    size_t length;
};

/* As %.*s takes it. */
#define PART(part) (int)(part).length, (part).at

/* The same for a pattern that stands in the program, in Perl's syntax: its first match in a text. `found` gets `count`
 * parts: the match, and its groups; one that takes no part has the length 0. */
bool pattern_find(const char *pattern, struct part in, struct part found[], size_t count);
