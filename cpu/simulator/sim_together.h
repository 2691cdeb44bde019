/* What threads do together: barriers of a block, and what the 32 lanes of a warp do: shuffles, votes and __syncwarp()
 * are exchanges of one value per lane. */
#pragma once

#include "sim_launch.h"

SIM_C_BEGIN

/* The running thread waits for all threads of the block: __syncthreads() and its relatives. Returns how many of them
 * brought a predicate that is not 0. */
int sim_barrier(struct sim_place place, const char *operation, int predicate);

/* To be called when every thread has ended or waits. Lets all threads pass the barrier that they wait at; false: they
 * are not all there. */
bool sim_barrier_pass(void);

/* None of the block's threads can ever go on: says why. */
void sim_together_accuse(void);

/* Each lane of `mask` brings a value. Returns the values of all 32 lanes, valid until the thread's next exchange. The
 * value of a lane that is outside the mask or has ended is undefined in CUDA, and poison here. */
const uint64_t *sim_warp_exchange(struct sim_place place, const char *operation, uint32_t mask, uint64_t value);

/* The same of all 32 lanes, none of which may be missing. Another exchange of them has to follow, before which none can
 * end. */
const uint64_t *sim_warp_whole(struct sim_place place, const char *operation, uint64_t value);

/* The value of one of them. */
uint64_t sim_warp_shuffle(struct sim_place place, const char *operation, uint32_t mask, uint64_t value, unsigned from);

/* Waits until no other lane of the warp can run on that does not wait here as well. Returns those that wait here, as
 * lanes of a warp run together on a GPU where they can. */
uint32_t sim_warp_active(struct sim_place place);

/* Before the threads of a block run. */
void sim_together_begin(void);

/* `thread` began to wait in an exchange, or ended: completes the exchanges that waited for nothing else. Whether its
 * own is complete. */
bool sim_warp_changed(unsigned thread);

SIM_C_END
