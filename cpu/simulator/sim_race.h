/* Looks for the race in a block whose answer depends on the order of its threads. Every access to shared memory is
 * seen, until two threads touch the same place with no barrier between. Each access is a trap, so this is for one
 * block. On x86-64, without sanitizers; elsewhere nothing is found. */
#pragma once

#include "sim_launch.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* True while a thread is inside an atomic function. */
extern volatile bool sim_in_atomic;

/* Looks at this block of the next launch of this function. */
void sim_race_look_at(const void *function, struct uint3 block);

/* What was found: "thread (1,0,0) writes at tiled.cu:42 what thread (0,0,0) reads at tiled.cu:46, with no barrier
 * between"; NULL: nothing. Valid until the next call. */
const char *sim_race_found(void);

/* Around a block. */
void sim_race_begin(const struct sim_launch *launch, struct uint3 block);
void sim_race_end(void);

/* Shared memory that the block uses, from here on. */
void sim_race_memory(void *memory, size_t bytes);

/* All threads have passed a barrier, or this one an exchange of its warp. */
void sim_race_barrier(void);
void sim_race_exchange(unsigned thread);

/* In between, the simulator itself touches shared memory. */
void sim_race_pause(void);
void sim_race_resume(void);

#ifdef __cplusplus
}
#endif
