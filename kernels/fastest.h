/* Which of several ways to do the same work is fastest here, by timing them before the row. */
#pragma once

#include <cuda_runtime_api.h>

/* Queues the work the i-th way on the stream; NULL, or why it cannot. */
typedef const char *fastest_call(const void *self, int i, cudaStream_t stream);

/* The fastest of so many ways; the first, if none runs. The calls go to a stream that waits for no other one, so the
 * caller's may be held; what the calls write, the caller's stream must not use meanwhile. While a graph is made of the
 * caller's, nothing can be timed: then it is the first, too. */
int fastest_of(int count, fastest_call *call, const void *self, cudaStream_t callers);
