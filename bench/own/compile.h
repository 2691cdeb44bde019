/* From a file to a shared object: by a compiler that runs as another process, or from the cache. */
#pragma once

#include "bench/table/toolchain.h"
#include "cache.h"
#include "form.h"

/* What the loader looks for in the objects that are made here. */
#define COMPILED_FUNCTION "rungbench_own_kernel"

struct compilation {
    const char *path;   /* of the user's file, as messages name it */
    const char *source; /* its text */
    const struct form *form;
    const struct toolchain *toolchain;
    const char *target;         /* the flag for the device; NULL: none is needed */
    int (*interrupted)(void);   /* the signal that came, or 0 */
    double (*now)(void);        /* seconds */
    void (*says)(const char *); /* gets a line before a compiler starts, which takes seconds */
};

/* Sets the object's path. If nothing could be kept, `scratch` says where it lies, and is not empty. False, with the
 * reason, after what the compiler says on stderr: with an empty reason where a signal came. */
bool compile(const struct compilation *compilation, char object[PATH_MAX], struct cache_folder *scratch,
             struct error *error);
