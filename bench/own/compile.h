/* From a kernel's source to a function: a shared object, made by a compiler, which is another process, or found in the
 * cache; held in memory, and loaded by the process that calls it. */
#pragma once

#include "own_kernel.h"

/* The progress line names the file while a compiler runs, and a note says where the cache cannot keep what it made.
 * The kernel's `object` becomes what this process and those that it starts find it by, as long as this one lives.
 * False, with the reason, after what the compiler says on stderr: with an empty reason where a signal came. */
bool compile(struct own_kernel *kernel, struct error *error);

/* Whether there is a compiler of the kernel's backend. */
bool compile_has_compiler(const struct own_kernel *kernel);

/* Holds an object in memory that nothing can write to any more, neither a kernel that runs nor who shares the cache. */
bool compiled_hold(const char *object, size_t size, char path[PATH_MAX]);

/* Whether this process, or those that it starts, can load the object. */
bool compiled_check(const struct own_kernel *kernel, struct error *error);

/* Loads the object, and finds what its `function` names. Returns NULL, or why it cannot, valid until the next call. */
const char *compiled_find(const struct own_kernel *kernel, void **found);

/* The same for a kernel's function. */
const char *compiled_load(const struct own_kernel *kernel, rung_function **run);
