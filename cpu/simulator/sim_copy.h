/* Asynchronous copies that a thread waits for by groups: to shared memory, as cp.async does them, and from it, as
 * cp.async.bulk does. */
#pragma once

#include "sim_thread.h"

SIM_C_BEGIN

/* The thread that runs asks for a copy by cp.async, of 1, 2, 4, 8 or 16 bytes. `from` NULL: zeros. */
void sim_copy_ask(struct sim_place place, void *to, const void *from, size_t bytes);
/* The same of either kind; its addresses have been looked at. */
void sim_copy_keep(enum sim_copying how, void *to, const void *from, size_t bytes);

/* It closes a group, and waits until at most so many of its groups are left. */
void sim_copy_commit(enum sim_copying how);
void sim_copy_wait(enum sim_copying how, unsigned groups_left);

/* The thread ends. */
void sim_bulk_end(void);

/* Forgets the copies that a thread did not wait for. When a thread has ended nobody can wait for them, so they may
 * arrive too late for everybody. */
void sim_copy_drop(unsigned thread);

SIM_C_END
