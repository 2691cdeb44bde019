/* Shared memory: one copy for all threads of a block, full of poison before the block first uses it. */
#pragma once

#include "sim_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sim_shared {
    const char *name;
    size_t bytes, alignment;
    void *memory;    /* kept until the process ends; NULL: not allocated yet */
    uint64_t serial; /* of the block that used it last */
};

/* The memory of the block that runs. `place`: where it is declared. */
void *sim_shared_here(struct sim_shared *shared, struct sim_place place);

/* Dynamic shared memory, as much as the launch asked for: extern __shared__. */
void *sim_dynamic_shared(struct sim_place place);

/* Lets launches of the kernel ask for that much of it. False: no memory. */
bool sim_dynamic_shared_allow(const void *kernel, size_t bytes);

/* How much that is; SIM_DYNAMIC_SHARED_BYTES where nothing was allowed. */
size_t sim_dynamic_shared_allowed(const void *kernel);

#ifdef __cplusplus
}
#endif
