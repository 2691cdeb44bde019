/* For the launchers of CUDA rungs: the interface of a rung, grid sizes, and errors as text. */
#pragma once

#include "bench/base/ceil_div.h"
#include "bench/table/backend.h"
#include "bench/table/rung.h"
#include "device.h"
#include "gpu_attribute.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

/* Whether an access of so many bytes may start there. */
static inline bool is_aligned(const void *address, uintptr_t bytes)
{
    return (uintptr_t)address % bytes == 0;
}

/* How many threads are to share so many things: a warp, two, four and so on, until they are enough; at most `most`. */
static inline int threads_for(int64_t things, int most)
{
    int threads = 32;
    while (threads < things && threads < most)
        threads *= 2;
    return threads;
}

/* NULL, or that a grid cannot have so many blocks along x. Only problems of many gigabytes need so many. */
static inline const char *grid_x_error(const char *rung, int64_t blocks)
{
    static char text[128];
    if (blocks <= GRID_X_MAX)
        return NULL;
    snprintf(text, sizeof text, "%s: needs %" PRId64 " blocks; a grid has at most %" PRId64, rung, blocks, GRID_X_MAX);
    return text;
}

/* NULL, or why the last launch failed, or a call of CUDA before it. Clears the error, so that no later call reports it
 * again. */
static inline const char *launch_error(const char *rung)
{
    static char text[384];
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess)
        return NULL;
    snprintf(text, sizeof text, "%s: launch failed: %s", rung, cudaGetErrorString(status));
    return text;
}

/* How many blocks a kernel is to have along x, y and z. Those along y and z that are too many it loops over. */
struct grid_size {
    int64_t x, y, z;

    explicit grid_size(int64_t along_x, int64_t along_y = 1, int64_t along_z = 1) : x(along_x), y(along_y), z(along_z)
    {
    }
    dim3 launched() const
    {
        auto there = [](int64_t blocks) { return (unsigned)(blocks < GRID_YZ_MAX ? blocks : GRID_YZ_MAX); };
        return dim3((unsigned)x, there(y), there(z));
    }
};

/* LAUNCH() as a rung's last step: NULL, or why a launch has failed. `grid` is a grid_size, or a number of blocks. */
#define TRY_LAUNCH(rung, kernel, grid, block, shared_bytes, stream, ...)                                          \
    (grid_x_error(rung, grid_size(grid).x)                                                                        \
         ? grid_x_error(rung, grid_size(grid).x)                                                                  \
         : (LAUNCH(kernel, grid_size(grid).launched(), block, shared_bytes, (cudaStream_t)(stream), __VA_ARGS__), \
            launch_error(rung)))
