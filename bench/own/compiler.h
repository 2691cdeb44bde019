/* A compiler: another process, which makes a shared object of a source. */
#pragma once

#include "bench/base/digest.h"
#include "bench/base/error.h"
#include "bench/table/toolchain.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

enum { COMPILER_ARGUMENTS_MAX = 64 };

struct compiler {
    char path[PATH_MAX], own_folder[PATH_MAX];
    const char *suffix;
    const char *arguments[COMPILER_ARGUMENTS_MAX + 1]; /* but for the files; ended by a NULL */
};

struct compiler_run {
    const char *name;           /* of the user's file, for messages */
    int (*interrupted)(void);   /* the signal that came, or 0 */
    double (*now)(void);        /* seconds */
    void (*says)(const char *); /* gets a line before the compiler starts, which takes seconds */
};

/* What it made. A zero stands behind both. */
struct compiled {
    char *object, *list; /* the list is of the files that it read, for make */
    size_t size;         /* of the object */
    struct timespec start;
};

/* Finds the first compiler of the toolchain that is there, for the user's file. `target`: a further flag, or NULL.
 * False, with what was looked for. */
bool compiler_find(const struct toolchain *toolchain, const char *target, const char *file, struct compiler *compiler,
                   struct error *error);

/* The digest of all that the object depends on, but for the files that the source includes. False: no memory. */
bool compiler_key(const struct compiler *compiler, const char *source, char key[DIGEST_HEX]);

/* Compiles; free() both parts of what it made, also where it failed. False, with the reason, after what the compiler
 * says on stderr: with an empty reason where a signal came. */
bool compiler_run(const struct compiler *compiler, const struct compiler_run *run, const char *source,
                  struct compiled *made, struct error *error);
