/* From a kernel's source to a function: a shared object, made by a compiler, which is another process, or found in the
 * cache; held in memory, and loaded by the process that calls it. */
#pragma once

#include "bench/base/error.h"
#include "bench/table/rung.h"
#include "bench/table/toolchain.h"
#include "form.h"

#include <limits.h>
#include <stdbool.h>

/* The function of the objects that are made here. */
#define COMPILED_FUNCTION "rungbench_own_kernel"

struct compilation {
    const char *name;   /* of the user's file, for messages too */
    const char *source; /* its text */
    const struct form *form;
    const struct toolchain *toolchain;
    const char *target;         /* the flag for the device; NULL: none is needed */
    int (*interrupted)(void);   /* the signal that came, or 0 */
    double (*now)(void);        /* seconds */
    void (*says)(const char *); /* gets a line before the compiler starts, which takes seconds */
};

/* `path` is what this process and those that it starts find the object by, as long as this one lives; `note` gets the
 * reason where it could not be kept. False, with the reason, after what the compiler says on stderr: with an empty
 * reason where a signal came. */
bool compile(const struct compilation *compilation, char path[PATH_MAX], struct error *note, struct error *error);

/* Loads an object, and finds its function. Returns NULL, or why it cannot, valid until the next call. */
const char *compiled_load(const char *object, const char *function, rung_function **run);
