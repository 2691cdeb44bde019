/* Compiled kernels, kept from run to run: a shared object by the key of what it was made from, in
 * $XDG_CACHE_HOME/rungbench, or ~/.cache/rungbench.
 *
 * KEY.d has the paths of the files that a source includes, and KEY-DIGEST.so is the object that was made when their
 * contents had that digest. A file appears under its name when it is complete; of two processes that compile the same
 * at once, each finds a whole object. */
#pragma once

#include "bench/base/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_OBJECTS_MAX = 64 };

/* What the source in a cache folder is called, up to its suffix. */
#define CACHE_SOURCE "rungbench_source"

/* Finds the object with that key, if none of the included files has changed; it is then among the newest. */
bool cache_find(uint64_t key, char object[PATH_MAX]);

/* A new folder to compile in. Not in the cache where that cannot be written: then `is_kept` is false. */
struct cache_folder {
    char path[PATH_MAX];
    bool is_kept;
    double start_s; /* when it was made */
};
bool cache_begin(struct cache_folder *scratch, struct error *error);

/* Takes the object from `path`/object.so, and what it was made from besides its source from `path`/object.d, which
 * the compiler has written for make. Sets the object's path, and removes the folder; where nothing is kept, folder and
 * object stay until cache_forget(). */
bool cache_end(const struct cache_folder *scratch, uint64_t key, char object[PATH_MAX], struct error *error);

/* Removes the folder, and what is in it. */
void cache_forget(const struct cache_folder *scratch);
