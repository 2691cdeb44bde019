/* Shared memory: one copy for all threads of a block, full of poison before the block first uses it; and asynchronous
 * copies to it, as cp.async does them. */
#pragma once

#include "sim_launch.h"

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

/* The thread that runs asks for copies, closes a group, and waits until at most so many of its groups are left. `from`
 * NULL: zeros. */
void sim_copy_ask(struct sim_place place, void *to, const void *from, size_t bytes);
void sim_copy_commit(void);
void sim_copy_wait(unsigned groups_left);

/* Forgets the copies that a thread did not wait for. When a thread has ended nobody can wait for them, so they may
 * arrive too late for everybody. */
void sim_copy_drop(unsigned thread);

#ifdef __cplusplus
}
#endif
