/* dot cuda_zip_reduce: one kernel multiplies, a second one adds up.
 *
 * Technique: the two halves of a dot product as building blocks. A zip writes the product of each pair of elements to a
 * workspace. A reduction reads it: each thread adds up elements a grid's length apart, each block its threads' sums by
 * shuffles (kernels/sums.h), and one atomic operation per block adds those to the sum, which is set to zero before.
 *
 * What it fixes in cuda_naive: one atomic operation per block instead of one per element.
 *
 * What it costs: bytes. The zip reads 8 bytes per element and writes 4, the reduction reads these 4 again: 16 where the
 * problem needs 8, and a second launch. So programs made of such blocks take at least twice the time on long vectors.
 *
 * What bounds it: memory: 16 bytes per element, 4.3 GB in the row below, 930 us at 4.6 TB/s.
 *
 * Measured, results/h200-x1/network.csv:
 *   dot/large/cuda_zip_reduce/cold 1.164 ms
 *   dot/large/cuda_zip_reduce/cold ceiling_pct 40.0 % */
#include "bench/table/dot.h"
#include "kernels/launch.h"
#include "kernels/sums.h"
#include "kernels/workspace.h"

constexpr int THREADS = 256, ELEMENTS = 8; /* that a thread adds up, at least */
constexpr int BLOCKS_MAX = 4096;           /* more than a GPU holds at once */
static_assert(RUNG_SIZE_MAX + BLOCKS_MAX * THREADS <= INT32_MAX, "32 bits hold an index, and the next one");

/* x, y and products have n elements. */
static __global__ void dot_zip_kernel(int n, const float *x, const float *y, float *products)
{
    int i = (int)blockIdx.x * THREADS + (int)threadIdx.x;
    if (i < n)
        products[i] = x[i] * y[i];
}

/* x has n elements; *sum is zero. */
static __global__ void dot_reduce_kernel(int n, const float *x, float *sum)
{
    int stride = (int)gridDim.x * THREADS;
    float share = 0;
#pragma unroll 8 /* loads in flight */
    for (int i = (int)blockIdx.x * THREADS + (int)threadIdx.x; i < n; i += stride)
        share += x[i];
    share = block_sum(share);
    if (threadIdx.x == 0)
        atomicAdd(sum, share);
}

const char *dot_cuda_zip_reduce(const void *problem, void *stream)
{
    const struct dot_problem *p = (const struct dot_problem *)problem;
    cudaStream_t queue = (cudaStream_t)stream;
    int n = (int)p->n;
    int64_t useful = ceil_div(n, THREADS * ELEMENTS), blocks = useful < BLOCKS_MAX ? useful : BLOCKS_MAX;
    void *products;
    TRY_CALL(workspace_get((size_t)n * sizeof(float), &products));
    (void)cudaMemsetAsync(p->dot, 0, sizeof(float), queue);
    LAUNCH(dot_zip_kernel, (unsigned)ceil_div(n, THREADS), THREADS, 0, queue, n, p->x, p->y, (float *)products);
    return TRY_LAUNCH(__func__, dot_reduce_kernel, blocks, THREADS, 0, queue, n, (const float *)products, p->dot);
}
