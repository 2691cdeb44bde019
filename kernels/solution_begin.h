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

/* A launch that failed has failed for whoever calls this function, even if it is looked at here. */
static inline cudaError_t rungbench_last_error()
{
    const cudaError_t status = cudaPeekAtLastError();
    return status == cudaErrorLaunchFailure ? status : cudaGetLastError();
}
#define cudaGetLastError rungbench_last_error

static inline cudaError_t rungbench_memset(void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, rungbench_stream);
}
#define cudaMemset rungbench_memset
static inline cudaError_t rungbench_memset_async(void *to, int value, size_t bytes,
                                                 cudaStream_t stream = rungbench_stream)
{
    return cudaMemsetAsync(to, value, bytes, stream);
}
#define cudaMemsetAsync rungbench_memset_async

static inline cudaError_t rungbench_memcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return cudaMemcpyAsync(to, from, bytes, kind, rungbench_stream);
}
#define cudaMemcpy rungbench_memcpy
static inline cudaError_t rungbench_memcpy_async(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                                 cudaStream_t stream = rungbench_stream)
{
    return cudaMemcpyAsync(to, from, bytes, kind, stream);
}
#define cudaMemcpyAsync rungbench_memcpy_async

template <typename T>
static inline cudaError_t rungbench_to_symbol(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, rungbench_stream);
}
#define cudaMemcpyToSymbol rungbench_to_symbol
template <typename T>
static inline cudaError_t rungbench_to_symbol_async(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                    cudaStream_t stream = rungbench_stream)
{
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, stream);
}
#define cudaMemcpyToSymbolAsync rungbench_to_symbol_async

static inline cudaError_t rungbench_record(cudaEvent_t event, cudaStream_t stream = rungbench_stream)
{
    return cudaEventRecord(event, stream);
}
#define cudaEventRecord rungbench_record

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
