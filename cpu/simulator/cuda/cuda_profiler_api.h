/* Marks for a profiler, which the simulator has not. */
#pragma once

#include "cuda_runtime.h"

SIMT_RETURNS(cudaError_t, cudaProfilerStart, (), cudaSuccess)
SIMT_RETURNS(cudaError_t, cudaProfilerStop, (), cudaSuccess)
