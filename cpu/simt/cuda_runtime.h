/* Stands in for CUDA's header of this name where a rung is compiled for the simulator: the part of CUDA C++ that rungs
 * use, which the host's compiler then turns into a function that one simulated thread runs.
 *
 * No GPU has grids as small as this one's. So small problems take the ways that only large ones need elsewhere. */
#ifndef RUNGBENCH_SIMT_CUDA_RUNTIME_H
#define RUNGBENCH_SIMT_CUDA_RUNTIME_H

#include "simt_launch.h"
#include "simt_math.h"
#include "simt_memory.h"
#include "simt_threads.h"
#include "simt_types.h"

#include <cstdint>

#define __global__ __attribute__((noinline)) /* to be found in a debugger */
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)

constexpr int64_t GRID_X_MAX = 1 << 20;
constexpr int64_t GRID_YZ_MAX = 3;

typedef struct simt_stream *cudaStream_t;
enum cudaError_t { cudaSuccess = 0, cudaErrorLaunchFailure = 719 };

namespace simt
{
inline const char *last_error;
}

static inline cudaError_t cudaGetLastError()
{
    simt::last_error = sim_launch_error();
    return simt::last_error ? cudaErrorLaunchFailure : cudaSuccess;
}

static inline const char *cudaGetErrorString(cudaError_t status)
{
    return status == cudaSuccess || !simt::last_error ? "no error" : simt::last_error;
}

#endif
