/* Sums across the threads of a warp and of a block, and the largest of their numbers. */
#pragma once

#include "device.h"

/* The sum of x of each LANES neighbouring lanes, in each of them: first of pairs, then of fours, and so on. LANES is a
 * power of two. */
template <int LANES>
static __device__ __forceinline__ float warp_sum(float x)
{
#pragma unroll
    for (int distance = 1; distance < LANES; distance *= 2)
        x += __shfl_xor_sync(0xFFFFFFFFu, x, distance);
    return x;
}

/* The sum of x of all threads of a block of whole warps along x, in each of them. A kernel calls it once. */
static __device__ __forceinline__ float block_sum(float x)
{
    __shared__ float sums[32];
    int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    x = warp_sum<32>(x);
    if (blockDim.x == 32)
        return x;
    if (lane == 0)
        sums[warp] = x;
    __syncthreads();
    return warp_sum<32>(lane < (int)blockDim.x / 32 ? sums[lane] : 0);
}

/* The largest x of each LANES neighbouring lanes, in each of them. LANES is a power of two. */
template <int LANES>
static __device__ __forceinline__ float warp_maximum(float x)
{
#pragma unroll
    for (int distance = 1; distance < LANES; distance *= 2)
        x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFFu, x, distance));
    return x;
}

/* The largest x of a block of whole warps along x, in each of its threads. A kernel calls it once. */
static __device__ __forceinline__ float block_maximum(float x)
{
    __shared__ float largest[32];
    int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, warps = (int)blockDim.x / 32;
    x = warp_maximum<32>(x);
    if (lane == 0)
        largest[warp] = x;
    __syncthreads();
    return warp_maximum<32>(largest[lane < warps ? lane : 0]);
}
