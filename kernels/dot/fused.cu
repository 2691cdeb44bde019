/* dot cuda_fused: the products stay in registers.
 *
 * Technique: the same reduction as in cuda_zip_reduce, but a thread multiplies two elements where the other one loads
 * their product. The multiplication costs nothing: it is done in the same instruction as the addition.
 *
 * What it fixes in cuda_zip_reduce: 8 bytes of traffic per element instead of 16, one launch instead of two, and no
 * workspace.
 *
 * What bounds it: memory: 8 bytes per element, 2.1 GB in the row below, 470 us at 4.6 TB/s. Loads are of 4 bytes, and
 * the order of the blocks' atomic operations is not fixed.
 *
 * Measured, results/h200-x1/network.csv:
 *   dot/large/cuda_fused/cold 504.5 us
 *   dot/large/cuda_fused/cold ceiling_pct 92.4 % */
#include "bench/table/dot.h"
#include "kernels/launch.h"
#include "kernels/sums.h"

constexpr int THREADS = 256, ELEMENTS = 8; /* that a thread adds up, at least */
constexpr int BLOCKS_MAX = 4096;           /* more than a GPU holds at once */
static_assert(RUNG_SIZE_MAX + BLOCKS_MAX * THREADS <= INT32_MAX, "32 bits hold an index, and the next one");

/* x and y have n elements; *sum is zero. */
static __global__ void dot_fused_kernel(int n, const float *x, const float *y, float *sum)
{
    int stride = (int)gridDim.x * THREADS;
    float share = 0;
#pragma unroll 8 /* loads in flight */
    for (int i = (int)blockIdx.x * THREADS + (int)threadIdx.x; i < n; i += stride)
        share += x[i] * y[i];
    share = block_sum(share);
    if (threadIdx.x == 0)
        atomicAdd(sum, share);
}

const char *dot_cuda_fused(const void *problem, void *stream)
{
    const struct dot_problem *p = (const struct dot_problem *)problem;
    int64_t useful = ceil_div(p->n, THREADS * ELEMENTS), blocks = useful < BLOCKS_MAX ? useful : BLOCKS_MAX;
    (void)cudaMemsetAsync(p->dot, 0, sizeof(float), (cudaStream_t)stream);
    return TRY_LAUNCH(__func__, dot_fused_kernel, blocks, THREADS, 0, stream, (int)p->n, p->x, p->y, p->dot);
}
