/* softmax cuda_online: largest element and sum in one pass.
 *
 * Technique: a thread keeps the largest element so far, and the sum of exponentials relative to it. When a larger one
 * appears, the sum is multiplied by exp(old - new), as if it had been known from the start. Two such pairs, of lanes or
 * of warps, merge in the same way (M. Milakov and N. Gimelshein, "Online normalizer calculation for softmax", 2018).
 *
 * What it fixes in cuda_block: x is read twice instead of three times.
 *
 * What bounds it: memory: x is read for the pair, again for the quotients, and y is written. The second reading is
 * served by the caches where they hold all rows in progress. */
#include "bench/table/rung.h"
#include "bench/table/softmax.h"
#include "kernels/launch.h"

#include <float.h>

constexpr int THREADS_MIN = 32, THREADS_MAX = 512; /* of a block: fewer where rows are short */
static_assert(THREADS_MAX <= 1024, "a block has at most 1024 threads");
static_assert(THREADS_MIN % 32 == 0, "a block is whole warps");
static_assert(SOFTMAX_SIZE_MAX <= GRID_X_MAX, "a grid has a block for each row");
static_assert(SOFTMAX_SIZE_MAX + THREADS_MAX <= INT32_MAX, "32 bits hold an index in a row, and the next one");

/* The largest of some elements, and the sum of their exponentials relative to it. Of none: -FLT_MAX and 0. */
struct running {
    float largest, sum;
};

static __device__ __forceinline__ running merge(running a, running b)
{
    float largest = fmaxf(a.largest, b.largest);
    return {largest, a.sum * expf(a.largest - largest) + b.sum * expf(b.largest - largest)};
}

static __device__ __forceinline__ running warp_merge(running mine)
{
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2)
        mine = merge(mine, {__shfl_xor_sync(0xFFFFFFFFu, mine.largest, distance),
                            __shfl_xor_sync(0xFFFFFFFFu, mine.sum, distance)});
    return mine;
}

static __device__ __forceinline__ running block_merge(running mine)
{
    SHARED_ARRAY(float2, pairs, THREADS_MAX / 32);
    int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    mine = warp_merge(mine);
    if (blockDim.x == 32)
        return mine;
    if (lane == 0)
        pairs[warp] = make_float2(mine.largest, mine.sum);
    __syncthreads();
    float2 pair = lane < (int)blockDim.x / 32 ? pairs[lane] : make_float2(-FLT_MAX, 0);
    return warp_merge({pair.x, pair.y});
}

/* x and y have rows of n elements. */
static __global__ void softmax_online_kernel(int n, const float *x, float *y)
{
    const float *from = x + (int64_t)blockIdx.x * n;
    float *to = y + (int64_t)blockIdx.x * n;
    running row = {-FLT_MAX, 0};
#pragma unroll 4 /* loads in flight */
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x)
        row = merge(row, {from[i], 1});
    row = block_merge(row);
#pragma unroll 4
    for (int i = (int)threadIdx.x; i < n; i += (int)blockDim.x)
        to[i] = expf(from[i] - row.largest) / row.sum;
}

const char *softmax_cuda_online(const void *problem, void *stream)
{
    const struct softmax_problem *p = (const struct softmax_problem *)problem;
    int threads = THREADS_MIN;
    while (threads < p->n && threads < THREADS_MAX)
        threads *= 2;
    LAUNCH(softmax_online_kernel, (unsigned)p->m, (unsigned)threads, 0, (cudaStream_t)stream, (int)p->n, p->x, p->y);
    return launch_error(__func__);
}
