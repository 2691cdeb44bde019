/* Input files. Another kind of file has no end, or makes the program wait for one: a pipe, a terminal, /dev/zero. */
#pragma once

#include "error.h"

#include <stdio.h>

/* Opens a file to read, without waiting for anybody. `name` is what errors call it: its path, or a flag with it.
 * -1, with the reason: it cannot be read, or is no regular file. */
int regular_file_open(const char *path, const char *name, struct error *error);

/* The same as a stream; NULL instead of -1. */
FILE *regular_file_stream(const char *path, const char *name, struct error *error);
