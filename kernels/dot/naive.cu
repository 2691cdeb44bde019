/* dot cuda_naive: one thread per element, which adds its product to the sum.
 *
 * Technique: thread i multiplies x[i] by y[i] and adds the product with atomicAdd(), which reads, adds and writes in
 * one step, in the L2 cache. The sum is set to zero before.
 *
 * What it fixes in the CPU rungs: elements are read by all of the GPU at once.
 *
 * What bounds it: n atomic operations on the same address, one after the other: 270 million in the row below. Memory
 * would take 470 us: 8 bytes per element, 2.1 GB at 4.6 TB/s. The order of the operations is not fixed, and neither are
 * the last bits of the sum.
 *
 * Measured, results/h200-x1/network.csv:
 *   dot/large/cuda_naive/cold 471.8 ms
 *   dot/large/cuda_naive/cold ceiling_pct 0.0988 % */
#include "bench/table/dot.h"
#include "kernels/launch.h"

constexpr int THREADS = 256;
static_assert(RUNG_SIZE_MAX + THREADS <= INT32_MAX, "32 bits hold an index");

/* x and y have n elements; *sum is zero. */
static __global__ void dot_naive_kernel(int n, const float *x, const float *y, float *sum)
{
    int i = (int)blockIdx.x * THREADS + (int)threadIdx.x;
    if (i < n)
        atomicAdd(sum, x[i] * y[i]);
}

const char *dot_cuda_naive(const void *problem, void *stream)
{
    const struct dot_problem *p = (const struct dot_problem *)problem;
    (void)cudaMemsetAsync(p->dot, 0, sizeof(float), (cudaStream_t)stream);
    return TRY_LAUNCH(__func__, dot_naive_kernel, ceil_div(p->n, THREADS), THREADS, 0, stream, (int)p->n, p->x, p->y,
                      p->dot);
}
