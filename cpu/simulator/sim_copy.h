/* Asynchronous copies to shared memory, as cp.async does them: a thread asks for some, closes a group, and waits until
 * no more than so many of its groups are under way. */
#ifndef RUNGBENCH_SIM_COPY_H
#define RUNGBENCH_SIM_COPY_H

#include "sim_grid.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sim_copy;

/* What a thread has asked for and not waited for. */
struct sim_copies {
    struct sim_copy *items; /* in the order in which they were asked for */
    size_t count, room;
    unsigned group; /* the one that is open */
};

/* Of the thread that runs. `from` NULL: zeros. */
void sim_copy_ask(struct sim_place place, void *to, const void *from, size_t bytes);
void sim_copy_commit(void);
void sim_copy_wait(unsigned groups_left);

/* Forgets what is under way: when its thread ends, nobody can wait for it any more, so it may arrive too late for all.
 */
void sim_copy_drop(struct sim_copies *copies);

#ifdef __cplusplus
}
#endif

#endif
