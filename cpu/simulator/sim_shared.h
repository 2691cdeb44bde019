/* Shared memory: one copy for all threads of a block, filled with the order's poison before the block first uses it. */
#ifndef RUNGBENCH_SIM_SHARED_H
#define RUNGBENCH_SIM_SHARED_H

#include "sim_place.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sim_shared {
    const char *name;
    size_t bytes, alignment;
    void *memory;    /* kept until the process ends; NULL: not yet there */
    uint64_t serial; /* of the block that it was poisoned for */
};

/* As the thread that runs sees it; `place` is where it is declared. */
void *sim_shared_here(struct sim_shared *shared, struct sim_place place);

/* What the launch asked for: extern __shared__. */
void *sim_dynamic_shared(struct sim_place place);

#ifdef __cplusplus
}
#endif

#endif
