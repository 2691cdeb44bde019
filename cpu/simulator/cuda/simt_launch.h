/* Launches and their errors. Each thread calls the kernel with the arguments as they were at the launch. */
#pragma once

#include "simt_memory.h"
#include "simt_types.h"

typedef struct simt_stream *cudaStream_t;
enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorLaunchFailure = 719
};

namespace simt
{
inline const char *last_error; /* cudaGetErrorString() returns it for any error */

inline cudaError_t remember(cudaError_t status, const char *text)
{
    last_error = text;
    return status;
}

/* Each thread calls `body` with the arguments as they were at the launch. */
template <typename F, typename... A>
void start(sim_launch what, F body, A... arguments)
{
    const auto bound = [=]() SIMT_PLAIN { body(arguments...); };
    what.thread_body = [](const void *opaque) SIMT_PLAIN { (*static_cast<decltype(bound) *>(opaque))(); };
    what.arguments = &bound;
    sim_launch_run(&what);
}

template <typename F, typename... A>
void start_grid(const char *name, F body, dim3 grid, dim3 block, size_t dynamic_shared_bytes, cudaStream_t,
                A... arguments)
{
    sim_launch what = {};
    what.kernel = name;
    what.grid = {grid.x, grid.y, grid.z};
    what.block = {block.x, block.y, block.z};
    what.dynamic_shared_bytes = dynamic_shared_bytes;
    start(what, body, arguments...);
}

/* What a function of the runtime does, by one thread here. */
template <typename F, typename... A>
void start_function(const char *name, F body, A... arguments)
{
    sim_launch what = {};
    what.kernel = name;
    what.is_runtime = true;
    what.grid = what.block = {1, 1, 1};
    start(what, body, arguments...);
}

inline void set_bytes(void *memory, int value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        static_cast<unsigned char *>(memory)[i] = (unsigned char)value;
}

inline void copy_bytes(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        static_cast<unsigned char *>(to)[i] = static_cast<const unsigned char *>(from)[i];
}
} // namespace simt

static inline cudaError_t cudaGetLastError()
{
    const char *text = sim_launch_error();
    return text ? simt::remember(cudaErrorLaunchFailure, text) : cudaSuccess;
}

static inline const char *cudaGetErrorString(cudaError_t status)
{
    return status == cudaSuccess || !simt::last_error ? "no error" : simt::last_error;
}

/* The kernel is called by its name, as C++ resolves it: it may be overloaded, or its template's arguments deduced. */
#define LAUNCH(kernel, grid, block, shared_bytes, ...) \
    simt::start_grid(                                  \
        #kernel,                                       \
        [&](auto... passed) SIMT_PLAIN {               \
            sim_entering = true;                       \
            (kernel)(passed...);                       \
        },                                             \
        grid, block, shared_bytes, __VA_ARGS__)

/* Grids run one after the other, so none is early. */
#define LAUNCH_EARLY LAUNCH

static inline void allow_early_launch()
{
}

static inline void wait_for_last_launch()
{
}

/* So little shared memory that a launcher that adapts to it divides small problems, too; and half of it is still more
 * than a kernel has without cudaFuncSetAttribute. */
constexpr int SIM_SHARED_BYTES_OPTIN = 102 * 1024;

enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97 };

static inline cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

static inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int)
{
    *value = attribute == cudaDevAttrMultiProcessorCount ? sim_multiprocessors : SIM_SHARED_BYTES_OPTIN;
    return cudaSuccess;
}

/* A __device__ variable is one of the host's. */
template <typename T>
cudaError_t cudaGetSymbolAddress(void **address, T &symbol)
{
    *address = &symbol;
    return cudaSuccess;
}

enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8 };

template <typename... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute, int value)
{
    if (value < 0 || value > SIM_SHARED_BYTES_MAX)
        return simt::remember(cudaErrorInvalidValue, "cudaFuncSetAttribute: invalid value");
    sim_allow(reinterpret_cast<const void *>(kernel), (size_t)value);
    return cudaSuccess;
}

/* Accesses behind its end are found as those of the problem's buffers are. */
static inline cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    const char *error = sim_workspace_allocate(bytes, memory);
    return error ? simt::remember(cudaErrorMemoryAllocation, error) : cudaSuccess;
}

static inline cudaError_t cudaFree(void *memory)
{
    sim_workspace_release(memory);
    return cudaSuccess;
}

static inline cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t)
{
    const size_t end = sim_edges_only() && bytes > 65536 ? 65536 : bytes; /* of each side */
    simt::start_function("cudaMemsetAsync", simt::set_bytes, memory, value, end);
    if (end < bytes)
        simt::start_function("cudaMemsetAsync", simt::set_bytes, static_cast<char *>(memory) + (bytes - end), value,
                             end);
    return cudaSuccess;
}

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t)
{
    simt::start_function("cudaMemcpyAsync", simt::copy_bytes, to, from, bytes);
    return cudaSuccess;
}

/* Constant memory, a __constant__ variable, is one of the host's. */
template <typename T>
cudaError_t cudaMemcpyToSymbolAsync(T &symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind,
                                    cudaStream_t)
{
    if (offset > sizeof symbol || bytes > sizeof symbol - offset)
        return simt::remember(cudaErrorInvalidValue, "cudaMemcpyToSymbolAsync: beyond the end of the symbol");
    simt::start_function("cudaMemcpyToSymbolAsync", simt::copy_bytes,
                         static_cast<void *>(reinterpret_cast<unsigned char *>(&symbol) + offset), from, bytes);
    return cudaSuccess;
}
