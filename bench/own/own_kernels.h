/* Kernels of the user's own (--kernel=FILE) as rungs beside those of the table. docs/own-kernel.md has what a file may
 * be.
 *
 * This process reads files and has them compiled. Only the process that runs a kernel loads it (struct rung, load): a
 * shared object runs code of its own as it is loaded. */
#pragma once

#include "compile.h"

/* Fills `extended` with the registry and a rung `kernel_NAME` per file. It stays until own_kernels_forget(). False,
 * with the reason: a file cannot be read, has no kernel, or no backend takes it. */
bool own_kernels_read(const struct registry *registry, const struct own_request *request, struct registry *extended,
                      struct error *error);

/* Whether one of them runs on a simulator. */
bool own_kernels_are_simulated(void);

/* Compiles what is not in the cache. False, with the reason, or with none where a signal came. */
bool own_kernels_compile(struct error *error);

/* These flags, and one per file that tells a process what was compiled, ended by a NULL; free() them. */
char **own_kernels_flags(char *const *shared);

/* What stands before the flags where another program than this one runs the kernel, ended by a NULL; NULL: this one
 * does. It stays until the next call. */
char *const *own_kernels_host(const struct rung *rung);

/* Frees what they have. */
void own_kernels_forget(void);
