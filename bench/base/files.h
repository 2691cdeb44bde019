/* Files, whole: reading what is input, writing all of what is output, and where paths lead. */
#pragma once

#include "error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Opens an input file, without waiting for anybody. Only a regular file: another kind has no end, or makes the program
 * wait for one (a pipe, a terminal, /dev/zero). `name` is what errors call it: its path, or a flag with it. -1, with
 * the reason: it cannot be read, or is no regular file. */
int regular_file_open(const char *path, const char *name, struct error *error);

/* All of an input file of at most `most` bytes, and a zero behind them; free() it. NULL: it cannot be read, or has
 * more. */
char *regular_file_read(const char *path, const char *name, size_t most, size_t *bytes, struct error *error);

/* Input that comes through a pipe, as with --image=<(...), can be read once; but players read their own input. Puts a
 * file with the same content in place of each pipe that an argument names as /dev/fd/N and that can be read. */
void piped_input_keep(char *const *argv);

/* Calls write(2) until all bytes are written, also after signals. False on an error, which is in errno. */
bool write_all(int fd, const void *bytes, size_t count);

/* Follows links, also one to a file that is not there: writing to the link makes that file. False, with errno: the path
 * is too long, or its links lead nowhere. */
bool file_path_follow(const char *path, char followed[PATH_MAX]);

/* The path of the first of these programs that is there. A name without a slash is looked for on the PATH; "$NAME/..."
 * begins with the value of an environment variable. Ended by a NULL. */
bool program_path_find(const char *const *names, char path[PATH_MAX]);
