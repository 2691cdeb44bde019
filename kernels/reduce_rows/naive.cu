/* reduce_rows cuda_naive: one thread per element, which adds it to the sum of its row.
 *
 * Technique: the loop over elements becomes the grid. Threads that add to the same number at the same time would lose
 * additions: each reads the old sum, and the last to write wins. atomicAdd() reads, adds and writes in one step, in the
 * L2 cache. y is set to zero before.
 *
 * What it fixes in the CPU rungs: elements are read by all of the GPU at once.
 *
 * What bounds it: the atomic operations. Those on the same address are done one after the other, and a row has one: 270
 * million in the row below. Memory would take 230 us: 4 bytes per element, 1.1 GB at 4.6 TB/s. Their order is not
 * fixed, and neither are the last bits of the sums.
 *
 * Measured, results/h200-x1/network.csv:
 *   reduce_rows/large/cuda_naive/cold 471.7 ms
 *   reduce_rows/large/cuda_naive/cold ceiling_pct 0.0498 % */
#include "bench/table/reduce_rows.h"
#include "kernels/launch.h"

constexpr int THREADS = 256;

/* x has `elements` elements in rows of n; y is zero. */
static __global__ void reduce_rows_naive_kernel(int64_t elements, int64_t n, const float *x, float *y)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < elements)
        atomicAdd(&y[i / n], x[i]);
}

const char *reduce_rows_cuda_naive(const void *problem, void *stream)
{
    const struct reduce_rows_problem *p = (const struct reduce_rows_problem *)problem;
    int64_t elements = p->m * p->n, blocks = ceil_div(elements, THREADS);
    (void)cudaMemsetAsync(p->y, 0, (size_t)p->m * sizeof(float), (cudaStream_t)stream);
    return TRY_LAUNCH(__func__, reduce_rows_naive_kernel, blocks, THREADS, 0, stream, elements, p->n, p->x, p->y);
}
