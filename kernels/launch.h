/* For the launchers of CUDA rungs: grid sizes, and errors as text. */
#pragma once

#include "device.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

/* a / b, rounded up. a >= 1, b >= 1. */
static inline int64_t ceil_div(int64_t a, int64_t b)
{
    return (a - 1) / b + 1;
}

/* Whether an access of so many bytes may start there. */
static inline bool is_aligned(const void *address, uintptr_t bytes)
{
    return (uintptr_t)address % bytes == 0;
}

/* How many blocks to launch along y or z, if `blocks` would be enough. The kernel loops over the rest. */
static inline unsigned grid_yz(int64_t blocks)
{
    return (unsigned)(blocks < GRID_YZ_MAX ? blocks : GRID_YZ_MAX);
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

/* NULL, or why the last launch failed. Clears the error, so that no later call reports it again. */
static inline const char *launch_error(const char *rung)
{
    static char text[384];
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess)
        return NULL;
    snprintf(text, sizeof text, "%s: launch failed: %s", rung, cudaGetErrorString(status));
    return text;
}
