/* NCCL from one process, for the rungs of several GPUs. */
#pragma once

#include "bench/table/cards.h"

#include <nccl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Queues the sum of `count` arrays of n floats, that at `from` on each of the first `cards` GPUs, to `to` on each of
 * them (which may be the same); from[card] and to[card] are addresses there, and it goes to stream[card]. NULL, or an
 * error message that is valid until the next call. */
const char *nccl_sum(const struct cards *cards, int count, const float *const from[], float *const to[], size_t n,
                     void *const stream[]);

#ifdef __cplusplus
}
#endif
