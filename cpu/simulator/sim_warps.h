/* What the warps of a launch load and store, line by line: as many sectors of global memory, and turns at the banks of
 * shared memory, as a GPU would take. Lanes are taken to load together what each loads at its n-th pass of an
 * instruction. Plain loads and stores count, not atomics, asynchronous copies, or what has a thread's own memory. */
#pragma once

#include "bench/table/backend.h"
#include "sim_race.h"

/* From here on every launch is counted. */
void sim_warps_begin(void);
/* Up to here. */
void sim_warps_end(struct warp_accesses *counted);

/* An access to a buffer, or to shared memory, while sim_notes says that it wants to know. */
void sim_warps_note(const struct sim_touch *touch, bool is_shared);

/* A load from a buffer that is not counted, so that what is loaded in all is unknown. */
void sim_warps_miss(void);

/* A block, or those that run at the same time, has ended. */
void sim_warps_block(void);
