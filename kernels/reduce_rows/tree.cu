/* reduce_rows cuda_tree: a block adds up its elements in shared memory, and only their sum is an atomic operation.
 *
 * Technique: a block takes neighbours in a row, one per thread. Half of the threads add the elements of the other half
 * to theirs, then half of those, and so on: a tree of 8 steps adds 256 numbers. A barrier stands between the steps,
 * since what a thread adds is another's sum. Threads that stay are neighbours, so whole warps drop out early.
 *
 *      of eight numbers:   a0  a1  a2  a3  a4  a5  a6  a7
 *                           |   |   |   |   +4  +5  +6  +7     threads 0 to 3 add what is four further on
 *                          b0  b1  b2  b3                      barrier
 *                           |   |  +2  +3                      threads 0 and 1 add what is two further on
 *                          c0  c1                              barrier
 *                           |  +1                              thread 0
 *                          sum
 *
 * What it fixes in cuda_naive: one atomic operation per block instead of 256.
 *
 * What bounds it: the barriers. A thread brings one element and then mostly waits, so few loads are in flight: in the
 * row below there are a million blocks, of which the GPU holds 1,056, so a thousand times a load, eight steps with a
 * barrier each and an atomic operation follow each other. Memory would take 230 us, 1.1 GB at 4.6 TB/s.
 *
 * Measured, results/h200-x1/network.csv:
 *   reduce_rows/large/cuda_tree/cold 2.002 ms
 *   reduce_rows/large/cuda_tree/cold ceiling_pct 11.7 % */
#include "bench/table/reduce_rows.h"
#include "kernels/launch.h"

constexpr int THREADS_MAX = 256; /* of a block: fewer where rows are short */
static_assert(RUNG_SIZE_MAX + THREADS_MAX <= INT32_MAX, "32 bits hold the number of a column");
static_assert((THREADS_MAX & (THREADS_MAX - 1)) == 0, "each step of the tree has half as many threads");

/* x has rows of n elements, which `parts` blocks share; y is zero. */
static __global__ void reduce_rows_tree_kernel(int n, unsigned parts, const float *x, float *y)
{
    __shared__ float sums[THREADS_MAX];
    int thread = (int)threadIdx.x, threads = (int)blockDim.x;
    int64_t row = blockIdx.x / parts;
    int column = (int)(blockIdx.x % parts) * threads + thread;
    sums[thread] = column < n ? x[row * n + column] : 0;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half)
            sums[thread] += sums[thread + half];
    }
    if (thread == 0)
        atomicAdd(&y[row], sums[0]);
}

const char *reduce_rows_cuda_tree(const void *problem, void *stream)
{
    const struct reduce_rows_problem *p = (const struct reduce_rows_problem *)problem;
    int threads = threads_for(p->n, THREADS_MAX);
    int64_t parts = ceil_div(p->n, threads), blocks = p->m * parts;
    (void)cudaMemsetAsync(p->y, 0, (size_t)p->m * sizeof(float), (cudaStream_t)stream);
    return TRY_LAUNCH(__func__, reduce_rows_tree_kernel, blocks, threads, 0, stream, (int)p->n, (unsigned)parts, p->x,
                      p->y);
}
