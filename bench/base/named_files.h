/* The files that a command line names: what is written may be no other one of them, and none may be
 * where stdout goes. */
#pragma once

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

enum file_use { FILE_NONE, FILE_READ, FILE_WRITTEN };

struct named_file {
    const char *flag; /* NULL: no flag names it */
    const char *path;
    enum file_use use;
};

/* Room for all that a command line may name. */
enum { NAMED_FILES_MAX = 64 };

struct named_files {
    struct named_file items[NAMED_FILES_MAX];
    size_t count;
};

/* Keeps both texts as pointers. Of a flag the last value counts. */
void named_files_add(struct named_files *files, const char *flag, const char *path, enum file_use use);

/* False: two are the same file, by its device and inode behind all links, and one of them is to be written, itself or
 * by the name FILE.partial that it has before it is complete. Pipes and devices are never the same. */
bool named_files_are_apart(const struct named_files *files, struct error *error);
