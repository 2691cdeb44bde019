/* Memory of the program's own: of results, verdicts and what is written of them; small beside that of a problem, for
 * want of which a row fails. Where there is none the program ends: files that have results get their names, stderr says
 * why, and the status is EXIT_USAGE. None of these returns NULL. Not for handlers of signals, nor other threads. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Zeroes; free() it. */
void *memory_get(size_t count, size_t bytes);

/* The array with room for one item more than its `count`, of so many bytes each; it may have moved. It has room for the
 * next power of two, so that whoever adds items needs to know their number alone, and only this may make it larger. */
void *memory_grow(void *items, size_t count, size_t bytes);

/* What asprintf() makes. */
__attribute__((format(printf, 1, 2))) char *memory_print(const char *format, ...);

/* A stream into memory, and its end, from which on the text is there. free() that. */
FILE *memory_stream(char **text, size_t *bytes);
void memory_stream_end(FILE *stream);

/* What another function allocates; ends the program where that is NULL. */
void *memory_have(void *memory);
