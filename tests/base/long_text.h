/* Text that somebody made to be slow to read. */
#pragma once

#include <stddef.h>

/* Calls `check` with 2 MB of each piece, repeated. Where the time grows faster than the length, this takes minutes of
 * CPU; the limit, 20 s, ends the test. */
void check_long_texts(const char *const *pieces, size_t count, void (*check)(const char *text));
