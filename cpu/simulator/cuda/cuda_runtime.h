/* Replaces the CUDA header of this name where a rung is compiled for the simulator. It has the part of CUDA C++ that
 * rungs use. The compiler of the host turns a kernel into a function that one simulated thread runs.
 *
 * Grids have at most 3 blocks along y and z, so that small problems test the code for large ones. */
#pragma once

#include "simt_launch.h"
#include "simt_math.h"
#include "simt_memory.h"
#include "simt_mma.h"
#include "simt_threads.h"
#include "simt_types.h"

#include <cstdint>

#define __global__ __attribute__((noinline, noclone)) /* so that it is found by its name */
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__ thread_local /* sim_arrays.h */

constexpr int64_t GRID_X_MAX = 2147483647;
static const int64_t &GRID_YZ_MAX = sim_grid_yz_max;
