/* Shared memory: one copy for all threads of a block, filled with the order's poison before the block first uses it. */
#ifndef RUNGBENCH_SIM_SHARED_H
#define RUNGBENCH_SIM_SHARED_H

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

/* As the thread that runs sees it. */
void *sim_shared_here(struct sim_shared *shared);

/* What the launch asked for: extern __shared__. */
void *sim_dynamic_shared(void);

#ifdef __cplusplus
}
#endif

#endif
