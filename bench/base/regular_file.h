/* Input files. Another kind of file has no end, or makes the program wait for one: a pipe, a terminal, /dev/zero. */
#pragma once

#include "error.h"

#include <stdio.h>

/* Opens a file to read, without waiting for anybody. `name` is what errors call it: its path, or a flag with it.
 * -1, with the reason: it cannot be read, or is no regular file. */
int regular_file_open(const char *path, const char *name, struct error *error);

/* The same as a stream; NULL instead of -1. */
FILE *regular_file_stream(const char *path, const char *name, struct error *error);

/* All of a file of at most `most` bytes, and a zero behind them; free() it. NULL: it cannot be read, or has more. */
char *regular_file_read(const char *path, const char *name, size_t most, size_t *bytes, struct error *error);
