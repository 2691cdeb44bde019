/* Replaces the CUDA header of this name where a file is compiled for the simulator. It has the part of CUDA C++ that
 * people use. The compiler of the host turns a kernel into a function that one simulated thread runs.
 *
 * Grids of rungs have at most 3 blocks along y and z, so that small problems test the code for large ones. */
#pragma once

#include "simt_copy.h"
#include "simt_device.h"
#include "simt_float.h"
#include "simt_integer.h"
#include "simt_kernel_call.h"
#include "simt_launch.h"
#include "simt_math.h"
#include "simt_memory.h"
#include "simt_mma.h"
#include "simt_ptx.h"
#include "simt_stream.h"
#include "simt_threads.h"
#include "simt_types.h"

#include <cstdint>

#ifdef __clang__
#define __global__ __attribute__((noinline)) /* so that it is found by its name */
#else
#define __global__ __attribute__((noinline, noclone))
#endif
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline
#define __noinline__ /* nothing, since libstdc++ writes __attribute__((__noinline__)) */
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__ thread_local /* sim_arrays.h */
/* Behind __shared__ the keyword is not allowed. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define alignas(...) __attribute__((aligned(simt::alignment<__VA_ARGS__>())))
namespace simt
{
template <size_t BYTES>
constexpr size_t alignment()
{
    return BYTES;
}
template <typename T>
constexpr size_t alignment()
{
    return alignof(T);
}
} // namespace simt
/* A function has so many idle instructions before it: sim_arrays.h reads the number. */
#define __cluster_dims__(...) SIMT_CLUSTER(__VA_ARGS__, 1, 1, 1)
#define SIMT_CLUSTER(x, y, z, ...) \
    __attribute__((patchable_function_entry((x) | (y) << 4 | (z) << 8, (x) | (y) << 4 | (z) << 8)))

constexpr int64_t GRID_X_MAX = 2147483647;
static const int64_t &GRID_YZ_MAX = sim_grid_yz_max;
