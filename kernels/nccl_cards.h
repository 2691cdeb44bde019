/* NCCL from one process, for the rungs of several GPUs. */
#pragma once

#include "bench/table/cards.h"

#include <nccl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Queues the sum of arrays of n floats, one of each of the first `count` GPUs, to `to` on all of them, on stream[card].
 * Addresses are the first GPU's; the array of each begins `step` elements behind that of the one before. With a step of
 * 0 it may be `to`. NULL, or an error message that is valid until the next call. */
const char *nccl_sum(const struct cards *cards, int count, const float *from, int64_t step, float *to, size_t n,
                     void *const stream[]);

#ifdef __cplusplus
}
#endif
