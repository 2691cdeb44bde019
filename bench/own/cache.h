/* Compiled kernels, kept from run to run in $XDG_CACHE_HOME/rungbench, or ~/.cache/rungbench. One that belongs to
 * others, or that others may write to, is not used: what lies there runs.
 *
 * KEY.so is a shared object, followed by the list of files that its source includes and by a seal: the digest of KEY,
 * of those files' contents and of the object. What is not as it was written is not found, and a file appears under its
 * name when it is complete; so processes and machines can share a cache. */
#pragma once

#include "bench/base/digest.h"
#include "bench/base/error.h"

#include <limits.h>
#include <stdbool.h>
#include <time.h>

enum { CACHE_OBJECTS_MAX = 64, CACHE_FOLDER_BYTES = PATH_MAX - NAME_MAX - 2 };

/* The folder, which it makes. False, with the reason: it is not used. */
bool cache_folder(char path[CACHE_FOLDER_BYTES], struct error *error);

/* What a compiler made. A zero stands behind both texts. */
struct compiled {
    char *object, *list; /* the list is of the files that it read, as it writes it for make */
    size_t size;         /* of the object */
    struct timespec start;
};

/* The object with that key, if none of the included files has changed; free() it. It is then among the newest. NULL:
 * there is none. */
char *cache_find(const char key[DIGEST_HEX], size_t *size);

/* Keeps what was compiled, and removes the oldest of our files where there are too many. Not where an included file was
 * changed after the compiler began: it may have read what was there before. False, with the reason. */
bool cache_keep(const char key[DIGEST_HEX], const struct compiled *made, struct error *error);

/* Adds the files of a list for make, of a target without a colon (-MT), with their contents to the digest, but for the
 * first: the source itself. False: it is no such list. `newest`: when the youngest was changed. */
bool dependencies_add(const char *list, struct digest *digest, struct timespec *newest);
