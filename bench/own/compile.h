/* From a file to a shared object: by a compiler, or from the cache. */
#pragma once

#include "compiler.h"
#include "form.h"

/* What the loader looks for in the objects that are made here. */
#define COMPILED_FUNCTION "rungbench_own_kernel"

struct compilation {
    struct compiler_run run; /* `name` is the user's file */
    const char *source;      /* its text */
    const struct form *form;
    const struct toolchain *toolchain;
    const char *target; /* the flag for the device; NULL: none is needed */
};

/* `path` is what the object is found by, as long as this process lives; `note` gets the reason where it could not be
 * kept. False, with the reason, after what the compiler says on stderr: with an empty reason where a signal came. */
bool compile(const struct compilation *compilation, char path[PATH_MAX], struct error *note, struct error *error);
