/* Before a file with kernels of the user's own (docs/own-kernel.md). Their work goes to the stream of the call:
 * launches are spelt as LAUNCH(), with this stream where they name none, and what the runtime has in two forms is
 * queued. So it can be held back, timed on its stream, and recorded in a graph. */
#pragma once

#include "device.h"

#include <stdio.h>

static cudaStream_t rungbench_stream;

/* Who calls it waits. */
template <typename... T>
static inline cudaError_t rungbench_synchronize(T...)
{
    return cudaSuccess;
}
/* Memory that outlives the call. */
static inline cudaError_t rungbench_keep(void **memory, size_t bytes)
{
    return cudaMalloc(memory, bytes);
}

#define cudaDeviceSynchronize rungbench_synchronize
#define cudaStreamSynchronize rungbench_synchronize

static inline cudaError_t rungbench_memset(void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, rungbench_stream);
}
#define cudaMemset rungbench_memset

static inline cudaError_t rungbench_memcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return cudaMemcpyAsync(to, from, bytes, kind, rungbench_stream);
}
#define cudaMemcpy rungbench_memcpy

template <typename T>
static inline cudaError_t rungbench_to_symbol(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, rungbench_stream);
}
#define cudaMemcpyToSymbol rungbench_to_symbol

template <typename T>
static inline cudaError_t rungbench_malloc(T **memory, size_t bytes)
{
#ifdef __CUDACC__
    return cudaMallocAsync((void **)memory, bytes, rungbench_stream);
#else
    return cudaMalloc((void **)memory, bytes);
#endif
}
#define cudaMalloc rungbench_malloc

static inline cudaError_t rungbench_free(void *memory)
{
#ifdef __CUDACC__
    return cudaFreeAsync(memory, rungbench_stream);
#else
    return cudaFree(memory);
#endif
}
#define cudaFree rungbench_free
