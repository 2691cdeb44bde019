/* matmul_batched cuda_loop: one launch per product.
 *
 * Technique: the kernel of a single product, one thread per element, in a loop on the host. threadIdx.x walks along a
 * row of C.
 *
 * What it fixes in the CPU rungs: little. A GPU computes all elements of one product at once, and then those of the
 * next.
 *
 * What bounds it: launches. Work on a stream is done in order, so products wait for each other, and a small one takes
 * less time than its launch: 256 of them in the row below, of four blocks each, for 132 multiprocessors. More than
 * 4,096 products are left to cuda_grid.
 *
 * Measured, results/h200-x1/network.csv:
 *   matmul_batched/256-of-28x28/cuda_loop/cold 1.776 ms
 *   matmul_batched/256-of-28x28/cuda_loop/cold ceiling_pct 0.225 % */
#include "bench/table/matmul_batched.h"
#include "kernels/launch.h"

constexpr int THREADS = 256, LAUNCHES_MAX = 4096;

/* a is m x k, b is k x n, c is m x n. */
static __global__ void matmul_batched_loop_kernel(int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                                                  float *c)
{
    int64_t element = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (element >= m * n)
        return;
    int64_t row = element / n, column = element % n;
    float sum = 0;
    for (int64_t p = 0; p < k; p++)
        sum = fmaf(a[row * k + p], b[p * n + column], sum);
    c[element] = sum;
}

const char *matmul_batched_cuda_loop(const void *problem, void *stream)
{
    const struct matmul_batched_problem *p = (const struct matmul_batched_problem *)problem;
    if (p->batch > LAUNCHES_MAX)
        return rung_hand_over(matmul_batched_cuda_grid, problem, stream);
    int64_t blocks = ceil_div(p->m * p->n, THREADS);
    const char *error = NULL;
    for (int64_t i = 0; i < p->batch && !error; i++)
        error = TRY_LAUNCH(__func__, matmul_batched_loop_kernel, blocks, THREADS, 0, stream, p->m, p->n, p->k,
                           p->a + i * p->m * p->k, p->b + i * p->k * p->n, p->c + i * p->m * p->n);
    return error;
}
