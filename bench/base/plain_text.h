/* Text from outside (file names, cells of a CSV, what a driver says, values of flags) as text, and as numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Plain text: no terminal obeys it, and a line of it is one line. Every control character becomes '?', and so does a
 * mark that would turn the text after it round. */
void plain_text_make(char *text);
void plain_text_put(FILE *to, const char *text);

/* The first lines of what a program says, on stderr. A call of write() for each: there may be tens of thousands. */
void plain_text_tell(const char *said, size_t length, size_t lines);

/* The first of `count` bytes, as many as there is room for: how a file begins that should be another. */
void plain_text_of_bytes(char *text, size_t size, const void *bytes, size_t count);

/* Adds to a text that has room for `size` bytes; what is too long is cut off. */
__attribute__((format(printf, 3, 4))) void text_append(char *text, size_t size, const char *format, ...);

/* The bytes of the control character or mark at `text`; 0: it is another. Terminals know U+0080 to U+009F, too. */
size_t plain_text_control(const char *text);

/* Numbers as people write them: digits, and nothing that only strtod() or strtoull() would take (blanks, signs, 0x10,
 * inf, nan). A decimal integer from `least` to `most`: */
bool number_read_integer(const char *text, uint64_t least, uint64_t most, uint64_t *number);

/* A decimal number above 0 and up to `most`: 5, 0.5, .5 or 5e-3. `unit` may follow; NULL: nothing may. */
bool number_read_positive(const char *text, const char *unit, double most, double *number);
