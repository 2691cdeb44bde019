/* reduce_rows cuda_shuffle: threads add up several elements in registers, and lanes of a warp exchange their sums.
 *
 * Technique: each thread first adds up 8 elements by itself, a block's width apart. Lanes of a warp read each other's
 * registers by shuffles, without shared memory and without a barrier, since a warp runs together. Shared memory holds
 * one number per warp, which a last round of shuffles adds up (kernels/sums.h).
 *
 *      thread t:   x[t] + x[t + 256] + x[t + 512] + ... eight of them        registers
 *      warp:       lane i adds the sum of lane i ^ 16, then i ^ 8, 4, 2, 1   shuffles: five steps, no barrier
 *      block:      warp 0 does the same with the sums of the eight warps     one barrier
 *
 * What it fixes in cuda_tree: one barrier instead of eight, per eight times as many elements; and a thread has eight
 * loads in flight. There are an eighth of the atomic operations.
 *
 * What bounds it: memory, where rows are long: 1.1 GB in the row below, 230 us at 4.6 TB/s. A block that exchanges sums
 * has no loads in flight, and then ends. Of short rows most threads of a block have nothing; and the order of the
 * blocks' atomic operations is still not fixed.
 *
 * Measured, results/h200-x1/network.csv:
 *   reduce_rows/large/cuda_shuffle/cold 331.4 us
 *   reduce_rows/large/cuda_shuffle/cold ceiling_pct 70.9 % */
#include "bench/table/reduce_rows.h"
#include "kernels/launch.h"
#include "kernels/sums.h"

constexpr int THREADS_MAX = 256; /* of a block: fewer where rows are short */
constexpr int ELEMENTS = 8;      /* of a thread */
static_assert(RUNG_SIZE_MAX + ELEMENTS * THREADS_MAX <= INT32_MAX, "32 bits hold the number of a column");

/* x has rows of n elements, which `parts` blocks share; y is zero. */
static __global__ void reduce_rows_shuffle_kernel(int n, unsigned parts, const float *x, float *y)
{
    int threads = (int)blockDim.x;
    int64_t row = blockIdx.x / parts;
    int first = (int)(blockIdx.x % parts) * threads * ELEMENTS + (int)threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < ELEMENTS; i++) {
        int column = first + i * threads;
        sum += column < n ? x[row * n + column] : 0;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        atomicAdd(&y[row], sum);
}

const char *reduce_rows_cuda_shuffle(const void *problem, void *stream)
{
    const struct reduce_rows_problem *p = (const struct reduce_rows_problem *)problem;
    int threads = threads_for(ceil_div(p->n, ELEMENTS), THREADS_MAX);
    int64_t parts = ceil_div(p->n, threads * ELEMENTS), blocks = p->m * parts;
    (void)cudaMemsetAsync(p->y, 0, (size_t)p->m * sizeof(float), (cudaStream_t)stream);
    return TRY_LAUNCH(__func__, reduce_rows_shuffle_kernel, blocks, threads, 0, stream, (int)p->n, (unsigned)parts,
                      p->x, p->y);
}
