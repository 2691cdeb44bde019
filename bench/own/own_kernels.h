/* Kernels of the user's own (--kernel=FILE) as rungs beside those of the table. docs/own-kernel.md has what a file may
 * be.
 *
 * This process reads files and has them compiled. Only the process that runs a kernel loads it (struct rung, load): a
 * shared object runs code of its own as it is loaded. */
#pragma once

#include "bench/base/error.h"
#include "bench/table/op.h"
#include "bench/table/registry.h"

enum { OWN_KERNELS_MAX = 16 };

struct own_request {
    const char *paths[OWN_KERNELS_MAX];
    size_t count;
    /* The values of own_kernels_flags() of the process that has started this one; none in the first process. */
    const char *objects[OWN_KERNELS_MAX];
    size_t object_count;
    const struct op *op; /* NULL: that of the function's name, or the first of the registry */
    bool simulate;       /* on a simulator, though there may be a device */
    int device;          /* of the backend's settings */
};

/* Fills `extended` with the registry and a rung `kernel_NAME` per file. It stays until own_kernels_forget(). False,
 * with the reason: a file cannot be read, has no kernel, or no backend takes it. */
bool own_kernels_read(const struct registry *registry, const struct own_request *request, struct registry *extended,
                      struct error *error);

/* Whether one of them runs on a simulator. */
bool own_kernels_are_simulated(void);

/* Compiles what is not in the cache. False, with the reason, or with none where a signal came. */
struct own_compiling {
    int (*interrupted)(void); /* the signal that came, or 0 */
    double (*now)(void);      /* seconds */
    void (*says)(const char *line);
};
bool own_kernels_compile(const struct own_compiling *compiling, struct error *error);

/* The flags that tell a process what was compiled, one per kernel, ended by a NULL. */
char *const *own_kernels_flags(void);

/* Removes what was compiled for this process alone. */
void own_kernels_forget(void);
