/* softmax cuda_online: largest element and sum in one pass.
 *
 * Technique: a thread keeps the largest element so far, and the sum of exponentials relative to it. When a larger one
 * appears, the sum is multiplied by exp(old - new), as if it had been known from the start (M. Milakov and N.
 * Gimelshein, "Online normalizer calculation for softmax", 2018). Four elements come at a time: of four loads in flight
 * the largest is found first, so that they cost five exponentials instead of eight. At the end each thread's sum is
 * made relative to the row's largest, once, and the sums are added.
 *
 *      x         2        1            4                        3
 *      largest   2        2            4                        4
 *      sum       1        1 + e^-1     (1 + e^-1) e^-2 + 1      (1 + e^-1) e^-2 + 1 + e^-1
 *                                      |____ as if 4 had been known from the start
 *
 * What it fixes in cuda_block: x is read twice instead of three times.
 *
 * What bounds it: in the row below instructions, as in cuda_block: one pass is saved, but neither a reduction nor an
 * exponential. On rows that the caches do not hold, memory: x is read for the sum, again for the quotients, and y is
 * written, 12 bytes per element.
 *
 * Measured, results/h200-x1/network.csv:
 *   softmax/large/cuda_online/cold 830.7 us
 *   softmax/large/cuda_online/cold ceiling_pct 56.1 % */
#include "bench/table/softmax.h"
#include "kernels/launch.h"
#include "kernels/sums.h"

#include <float.h>

constexpr int THREADS_MAX = 512; /* of a block: fewer where rows are short */
constexpr int GROUP = 4;         /* elements that a thread takes at a time */
static_assert(RUNG_SIZE_MAX + GROUP * THREADS_MAX <= INT32_MAX, "32 bits hold an index in a row, and the next one");

/* x and y have rows of n elements. */
static __global__ void softmax_online_kernel(int n, const float *x, float *y)
{
    const float *from = x + (int64_t)blockIdx.x * n;
    float *to = y + (int64_t)blockIdx.x * n, largest = -FLT_MAX, sum = 0;
    const int step = (int)blockDim.x;
    for (int i = (int)threadIdx.x; i < n; i += GROUP * step) {
        float group[GROUP], larger = largest;
#pragma unroll
        for (int e = 0; e < GROUP; e++)
            group[e] = i + e * step < n ? from[i + e * step] : -INFINITY;
#pragma unroll
        for (int e = 0; e < GROUP; e++)
            larger = fmaxf(larger, group[e]);
        sum *= expf(largest - larger);
#pragma unroll
        for (int e = 0; e < GROUP; e++)
            sum += expf(group[e] - larger);
        largest = larger;
    }
    const float row_largest = block_maximum(largest);
    const float row_sum = block_sum(sum * expf(largest - row_largest));
#pragma unroll 4 /* loads in flight */
    for (int i = (int)threadIdx.x; i < n; i += step)
        to[i] = expf(from[i] - row_largest) / row_sum;
}

const char *softmax_cuda_online(const void *problem, void *stream)
{
    const struct softmax_problem *p = (const struct softmax_problem *)problem;
    return TRY_LAUNCH(__func__, softmax_online_kernel, p->m, threads_for(ceil_div(p->n, GROUP), THREADS_MAX), 0, stream,
                      (int)p->n, p->x, p->y);
}
