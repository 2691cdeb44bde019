/* Errors, as rungs ask for them. */
#pragma once

#include "cpu/simulator/sim_grid.h"

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
