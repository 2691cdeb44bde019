/* Loads a shared object. */
#pragma once

#include "bench/table/rung.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Holds an object in memory that nothing can write to any more, neither a kernel that runs nor who shares the cache.
 * `path` is what processes that this one starts find it by, as long as this one lives. */
bool loading_hold(const char *object, size_t size, char path[PATH_MAX]);

/* Loads the object, and finds its function. Returns NULL, or why it cannot, valid until the next call. */
const char *loading_run(const char *object, const char *function, rung_function **run);
