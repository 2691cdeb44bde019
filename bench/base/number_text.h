/* Numbers as people write them: digits, and nothing that only strtod() or strtoull() would take (blanks, signs, 0x10,
 * inf, nan). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Reads a decimal integer from `least` to `most`. */
bool number_read_integer(const char *text, uint64_t least, uint64_t most, uint64_t *number);

/* Reads a decimal number above 0 and up to `most`: 5, 0.5, .5 or 5e-3. `unit` may follow; NULL: nothing may. */
bool number_read_positive(const char *text, const char *unit, double most, double *number);
