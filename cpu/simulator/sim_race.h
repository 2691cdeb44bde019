/* Which block writes to a few bytes that are watched, and what race is in it, if its answer depends on the order of its
 * threads? Every access to its shared memory is seen, until two threads touch the same place with no barrier between.
 * Each access is a trap, so this is for one block. On x86-64, without sanitizers; elsewhere no race is found. */
#pragma once

#include "sim_launch.h"

/* From the next launch on, watches the first bytes of `memory`, 16 at most; NULL: no more. */
void sim_watch(const void *memory, size_t bytes);

/* The last block that changed the memory since sim_watch(), "kernel K, block (1,0,0)"; NULL: none did. Ends the watch,
 * and traces that block when it runs again. */
const char *sim_writer(void);

/* What was found then: "thread (1,0,0) writes at tiled.cu:42 what thread (0,0,0) reads at tiled.cu:46, with no barrier
 * between"; NULL: nothing. Valid until the next call. */
const char *sim_race_found(void);

/* Before a launch: what the host wrote since the last one is no block's doing. */
void sim_watch_launch(void);

/* Around a block, the one that runs. */
void sim_race_begin(void);
void sim_race_end(void);

/* Whether what faulted is an access that is traced; then it is noted, and goes on. */
bool sim_race_resolve(const void *address, const void *instruction, bool writes, void *context);

/* Shared memory that the block uses, from here on. */
void sim_race_memory(void *memory, size_t bytes);

/* Whether the simulator itself touches shared memory from here on. */
void sim_race_pause(bool pause);
