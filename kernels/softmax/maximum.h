/* The largest of the numbers of a warp's or a block's threads. */
#pragma once

#include "kernels/device.h"

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
    SHARED_ARRAY(float, largest, 32);
    int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, warps = (int)blockDim.x / 32;
    x = warp_maximum<32>(x);
    if (lane == 0)
        largest[warp] = x;
    __syncthreads();
    return warp_maximum<32>(largest[lane < warps ? lane : 0]);
}
