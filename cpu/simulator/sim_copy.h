/* Asynchronous copies that a thread waits for by groups: to shared memory, as cp.async does them, and from it, as
 * cp.async.bulk does. */
#pragma once

#include "sim_launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The thread that runs asks for copies, closes a group, and waits until at most so many of its groups are left. `from`
 * NULL: zeros. */
void sim_copy_ask(struct sim_place place, void *to, const void *from, size_t bytes);
void sim_copy_commit(void);
void sim_copy_wait(unsigned groups_left);

/* The same by cp.async.bulk, from shared memory; its addresses have been looked at. */
void sim_bulk_keep(void *to, const void *from, size_t bytes);
void sim_bulk_commit(void);
void sim_bulk_wait(unsigned groups_left);
/* The thread ends. */
void sim_bulk_end(void);

/* Forgets the copies that a thread did not wait for. When a thread has ended nobody can wait for them, so they may
 * arrive too late for everybody. */
void sim_copy_drop(unsigned thread);

#ifdef __cplusplus
}
#endif
