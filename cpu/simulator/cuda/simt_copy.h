/* Memory as the host uses it (CUDA Runtime API, "Memory Management"). All of it is the host's, so that copies are alike
 * in all directions. */
#pragma once

#include "simt_launch.h"

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

template <typename T>
char *place_in(const char *name, const T &symbol, size_t bytes, size_t offset)
{
    static char text[96];
    if (offset <= sizeof symbol && bytes <= sizeof symbol - offset)
        return (char *)&symbol + offset;
    snprintf(text, sizeof text, "%s: beyond the end of the symbol", name);
    (void)remember(cudaErrorInvalidValue, text);
    return nullptr;
}
} // namespace simt

/* Accesses behind its end are found as those of the problem's buffers are. */
template <typename T>
cudaError_t cudaMalloc(T **memory, size_t bytes)
{
    return simt::allocated(sim_workspace_allocate(bytes, (void **)memory));
}

inline cudaError_t cudaFree(void *memory)
{
    sim_workspace_release(memory);
    sim_early_forget();
    return cudaSuccess;
}

template <typename T>
cudaError_t cudaMallocAsync(T **memory, size_t bytes, cudaStream_t)
{
    return cudaMalloc(memory, bytes);
}

inline cudaError_t cudaFreeAsync(void *memory, cudaStream_t)
{
    return cudaFree(memory);
}

/* The pool that all stream-ordered memory is from. */
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold = 4 };

inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int)
{
    *pool = nullptr;
    return cudaSuccess;
}

inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *)
{
    return cudaSuccess;
}

template <typename T>
cudaError_t cudaMallocPitch(T **memory, size_t *pitch, size_t width, size_t height)
{
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(memory, *pitch * height);
}

/* The host may touch these at any time, and so may kernels. */
template <typename T>
cudaError_t cudaMallocManaged(T **memory, size_t bytes, unsigned = cudaMemAttachGlobal)
{
    return simt::allocated(sim_managed_allocate(bytes, (void **)memory));
}

template <typename T>
cudaError_t cudaMallocHost(T **memory, size_t bytes, unsigned = cudaHostAllocDefault)
{
    return cudaMallocManaged(memory, bytes);
}

template <typename T>
cudaError_t cudaHostAlloc(T **memory, size_t bytes, unsigned)
{
    return cudaMallocManaged(memory, bytes);
}

inline cudaError_t cudaFreeHost(void *memory)
{
    return cudaFree(memory);
}

template <typename T>
cudaError_t cudaHostGetDevicePointer(T **memory, void *host, unsigned)
{
    *memory = static_cast<T *>(host);
    return cudaSuccess;
}

inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = nullptr)
{
    return cudaSuccess;
}

enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};
enum { cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2 };

inline cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int)
{
    return cudaSuccess;
}

inline cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t = nullptr)
{
    return simt::move("cudaMemsetAsync", memory, nullptr, value, bytes);
}

inline cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    return simt::move("cudaMemset", memory, nullptr, value, bytes);
}

inline cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height)
{
    return simt::move("cudaMemset2D", {static_cast<char *>(memory), nullptr, pitch, 0, width, height, value});
}

inline cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height,
                                     cudaStream_t = nullptr)
{
    return cudaMemset2D(memory, pitch, value, width, height);
}

inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t = nullptr)
{
    return bytes == 0 ? cudaSuccess : simt::move("cudaMemcpyAsync", to, from, 0, bytes);
}

inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
    return bytes == 0 ? cudaSuccess : simt::move("cudaMemcpy", to, from, 0, bytes);
}

inline cudaError_t cudaMemcpy2D(void *to, size_t pitch, const void *from, size_t from_pitch, size_t width,
                                size_t height, cudaMemcpyKind)
{
    if (width > pitch || width > from_pitch)
        return simt::remember(cudaErrorInvalidPitchValue, nullptr);
    return simt::move("cudaMemcpy2D",
                      {static_cast<char *>(to), static_cast<const char *>(from), pitch, from_pitch, width, height, 0});
}

inline cudaError_t cudaMemcpy2DAsync(void *to, size_t pitch, const void *from, size_t from_pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t = nullptr)
{
    return cudaMemcpy2D(to, pitch, from, from_pitch, width, height, kind);
}

/* A __device__ or __constant__ variable is one of the host's. */
template <typename T>
cudaError_t cudaGetSymbolAddress(void **address, T &symbol)
{
    *address = (void *)&symbol;
    return cudaSuccess;
}

template <typename T>
cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    *bytes = sizeof symbol;
    return cudaSuccess;
}

template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t = nullptr)
{
    char *to = simt::place_in("cudaMemcpyToSymbolAsync", symbol, bytes, offset);
    return to ? simt::move("cudaMemcpyToSymbolAsync", to, from, 0, bytes) : cudaErrorInvalidValue;
}

template <typename T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind);
}

template <typename T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t = nullptr)
{
    const char *from = simt::place_in("cudaMemcpyFromSymbolAsync", symbol, bytes, offset);
    return from ? simt::move("cudaMemcpyFromSymbolAsync", to, from, 0, bytes) : cudaErrorInvalidValue;
}

template <typename T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind);
}
