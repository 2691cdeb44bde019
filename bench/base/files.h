/* Files, whole: reading what is input, writing all of what is output, where paths lead, and which of those that a
 * command line names are the same. */
#pragma once

#include "error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* All of an input file of at most `most` bytes, and a zero behind them; free() it. Only of a regular file, and without
 * waiting for anybody: another kind has no end, or makes the program wait for one (a pipe, a terminal, /dev/zero).
 * `name` is what errors call it: its path, or a flag with it. NULL, with the reason: it cannot be read, or has more. */
char *regular_file_read(const char *path, const char *name, size_t most, size_t *bytes, struct error *error);

/* The same of a text: one with a zero byte is refused. */
char *regular_file_read_text(const char *path, const char *name, size_t most, struct error *error);

/* The same of a file that may be gzipped (RFC 1952); `most` counts what is unpacked. */
char *regular_file_unpack(const char *path, const char *name, size_t most, size_t *bytes, struct error *error);

/* Input that comes through a pipe, as with --image=<(...), can be read once; but players read their own input. Puts a
 * file with the same content in place of each pipe that an argument names as /dev/fd/N and that can be read. */
void piped_input_keep(char *const *argv);

/* Calls write(2) until all bytes are written, also after signals. False on an error, which is in errno. */
bool write_all(int fd, const void *bytes, size_t count);

/* A new folder, NAME and letters, in $TMPDIR or /tmp. False, with errno and the name that could not be made. */
bool temporary_folder_make(const char *name, char folder[PATH_MAX]);

/* Removes a folder and all that is in it, but for what is mounted there. */
void folder_remove(const char *path);

/* The path of a file without links and dots, also of one that is not there in a folder that is. False, with errno: the
 * path is too long, or leads nowhere. */
bool file_path_follow(const char *path, char followed[PATH_MAX]);

/* The name FILE.partial, which an output has before it is complete. False: it is too long. */
bool file_path_partial(const char *path, char partial[PATH_MAX]);

/* The path of the first of these programs that is there. A name without a slash is looked for on the PATH; "$NAME/..."
 * begins with the value of an environment variable. Ended by a NULL. */
bool program_path_find(const char *const *names, char path[PATH_MAX]);

enum file_use { FILE_NONE, FILE_READ, FILE_WRITTEN };

struct named_file {
    const char *flag; /* NULL: no flag names it */
    const char *path;
    enum file_use use;
};

/* Room for all that a command line may name. */
enum { NAMED_FILES_MAX = 1100 };

struct named_files {
    struct named_file items[NAMED_FILES_MAX];
    size_t count;
};

/* Keeps both texts as pointers. Of a flag the last value counts. */
void named_files_add(struct named_files *files, const char *flag, const char *path, enum file_use use);

/* False: two are the same file behind all links, and one of them is to be written, itself or by the name FILE.partial
 * that it has before it is complete. Stdout is written, too. Pipes and devices are never the same. */
bool named_files_are_apart(const struct named_files *files, struct error *error);
