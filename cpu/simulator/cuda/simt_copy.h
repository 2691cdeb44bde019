/* Memory as the host uses it (CUDA Runtime API, "Memory Management"). All of it is the host's, so that copies are alike
 * in all directions. */
#pragma once

#include "simt_launch.h"
#include "simt_plain.h"

#include <cstdio>

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2 };
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4 };

namespace simt
{
inline cudaError_t allocated(const char *error)
{
    return error ? remember(cudaErrorMemoryAllocation, error) : cudaSuccess;
}

struct rows {
    char *to;
    const char *from; /* NULL: `value` */
    size_t pitch, from_pitch, width, height;
    int value;
};

SIMT_PLAIN inline void move_rows(rows all)
{
    for (size_t y = 0; y < all.height; y++)
        for (size_t x = 0; x < all.width; x++)
            all.to[y * all.pitch + x] = all.from ? all.from[y * all.from_pitch + x] : (char)all.value;
}

inline cudaError_t move(const char *name, rows all)
{
    start_function(name, move_rows, all);
    return cudaPeekAtLastError();
}

/* Of memory that is only address space, the ends. */
inline cudaError_t move(const char *name, void *to, const void *from, int value, size_t bytes)
{
    const size_t end = sim_edges_only() && bytes > 65536 ? 65536 : bytes;
    rows part = {static_cast<char *>(to), static_cast<const char *>(from), 0, 0, end, 1, value};
    const cudaError_t status = move(name, part);
    part.to += bytes - end;
    part.from += part.from ? bytes - end : 0;
    return end < bytes ? move(name, part) : status;
}

/* A __device__ or __constant__ variable, which is one of the host's. */
struct symbol {
    char *place;
    size_t bytes;

    template <typename T>
    symbol(const T &variable) : place((char *)&variable), bytes(sizeof variable)
    {
    }
};

inline char *place_in(const char *name, symbol whole, size_t bytes, size_t offset)
{
    static char text[96];
    if (offset <= whole.bytes && bytes <= whole.bytes - offset)
        return whole.place + offset;
    snprintf(text, sizeof text, "%s: beyond the end of the symbol", name);
    (void)remember(cudaErrorInvalidValue, text);
    return nullptr;
}

inline cudaError_t copy(const char *name, void *to, const void *from, size_t bytes)
{
    return bytes == 0 ? cudaSuccess : move(name, to, from, 0, bytes);
}

inline cudaError_t copy_to(const char *name, symbol whole, const void *from, size_t bytes, size_t offset)
{
    char *to = place_in(name, whole, bytes, offset);
    return to ? move(name, to, from, 0, bytes) : cudaErrorInvalidValue;
}

inline cudaError_t copy_from(const char *name, void *to, symbol whole, size_t bytes, size_t offset)
{
    const char *from = place_in(name, whole, bytes, offset);
    return from ? move(name, to, from, 0, bytes) : cudaErrorInvalidValue;
}

inline cudaError_t copy_rows(const char *name, void *to, size_t pitch, const void *from, size_t from_pitch,
                             size_t width, size_t height)
{
    if (width > pitch || width > from_pitch)
        return remember(cudaErrorInvalidPitchValue, nullptr);
    return move(name, {static_cast<char *>(to), static_cast<const char *>(from), pitch, from_pitch, width, height, 0});
}
} // namespace simt

/* Accesses behind its end are found as those of the problem's buffers are. */
template <typename T>
SIMT_RETURNS(cudaError_t, cudaMalloc, (T * *memory, size_t bytes),
             simt::allocated(sim_workspace_allocate(bytes, (void **)memory)))

inline cudaError_t cudaFree(void *memory)
{
    sim_workspace_release(memory);
    sim_early_forget();
    return cudaSuccess;
}

template <typename T>
SIMT_RETURNS(cudaError_t, cudaMallocAsync, (T * *memory, size_t bytes, cudaStream_t), cudaMalloc(memory, bytes))
SIMT_RETURNS(cudaError_t, cudaFreeAsync, (void *memory, cudaStream_t), cudaFree(memory))

    /* The pool that all stream-ordered memory is from. */
    typedef struct CUmemPoolHandle_st *cudaMemPool_t;
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold = 4 };
SIMT_GIVES(cudaDeviceGetDefaultMemPool, (cudaMemPool_t * pool, int), *pool = nullptr)
SIMT_RETURNS(cudaError_t, cudaMemPoolSetAttribute, (cudaMemPool_t, cudaMemPoolAttr, void *), cudaSuccess)

template <typename T>
cudaError_t cudaMallocPitch(T **memory, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(memory, *pitch * height);
}

/* The host may touch these at any time, and so may kernels. */
#define SIMT_MANAGED(name)                                                    \
    template <typename T>                                                     \
    cudaError_t name(T **memory, size_t bytes, unsigned = 0)                  \
    {                                                                         \
        return simt::allocated(sim_managed_allocate(bytes, (void **)memory)); \
    }
SIMT_MANAGED(cudaMallocManaged)
SIMT_MANAGED(cudaMallocHost)
SIMT_MANAGED(cudaHostAlloc)
SIMT_RETURNS(cudaError_t, cudaFreeHost, (void *memory), cudaFree(memory))

template <typename T>
SIMT_GIVES(cudaHostGetDevicePointer, (T * *memory, void *host, unsigned), *memory = static_cast<T *>(host))

enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};
enum { cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2 };
SIMT_RETURNS(cudaError_t, cudaMemAdvise, (const void *, size_t, cudaMemoryAdvise, int), cudaSuccess)
SIMT_RETURNS(cudaError_t, cudaMemPrefetchAsync, (const void *, size_t, int, cudaStream_t = nullptr), cudaSuccess)

/* name() and nameAsync(): `value` has the parameters, and `function`, the name. */
#define SIMT_COPY_AS(function_name, parameters, ...) \
    inline cudaError_t function_name parameters      \
    {                                                \
        const char *function = #function_name;       \
        return __VA_ARGS__;                          \
    }
#define SIMT_COPY(name, parameters, value) \
    SIMT_COPY_AS(name, parameters, value)  \
    SIMT_COPY_AS(name##Async, (SIMT_OPEN parameters, cudaStream_t = nullptr), value)
SIMT_COPY(cudaMemset, (void *memory, int value, size_t bytes), simt::move(function, memory, nullptr, value, bytes))
SIMT_COPY(cudaMemset2D, (void *memory, size_t pitch, int value, size_t width, size_t height),
          simt::move(function, {static_cast<char *>(memory), nullptr, pitch, 0, width, height, value}))
SIMT_COPY(cudaMemcpy, (void *to, const void *from, size_t bytes, cudaMemcpyKind), simt::copy(function, to, from, bytes))
SIMT_COPY(cudaMemcpy2D,
          (void *to, size_t pitch, const void *from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind),
          simt::copy_rows(function, to, pitch, from, from_pitch, width, height))
SIMT_COPY(cudaMemcpyToSymbol,
          (simt::symbol symbol, const void *from, size_t bytes, size_t offset = 0,
           cudaMemcpyKind = cudaMemcpyHostToDevice),
          simt::copy_to(function, symbol, from, bytes, offset))
SIMT_COPY(cudaMemcpyFromSymbol,
          (void *to, simt::symbol symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost),
          simt::copy_from(function, to, symbol, bytes, offset))

SIMT_GIVES(cudaGetSymbolAddress, (void **address, simt::symbol symbol), *address = symbol.place)
SIMT_GIVES(cudaGetSymbolSize, (size_t * bytes, simt::symbol symbol), *bytes = symbol.bytes)
