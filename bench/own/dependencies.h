/* What a compiler has read: a list that it writes for make (-MMD), of a target without a colon (-MT). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Adds the contents of the listed files to the key, but for the first: the source itself. False: the list
 * cannot be read. `newest_s`: when the youngest was changed, in seconds since 1970. */
bool dependencies_digest(const char *list, uint64_t *key, double *newest_s);
