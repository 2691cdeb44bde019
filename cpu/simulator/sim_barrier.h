/* Barriers of a block: __syncthreads() and its relatives. */
#pragma once

#include "sim_types.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The running thread waits for all threads of the block. Returns how many of them brought a predicate that is not 0. */
int sim_barrier(struct sim_place place, const char *operation, int predicate);

/* To be called when every thread has ended or waits. Lets all threads pass the barrier that they wait at. False: the
 * block is over, or a thread waits in vain, which sets the error. */
bool sim_barrier_pass(void);

#ifdef __cplusplus
}
#endif
