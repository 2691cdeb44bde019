/* matmul_batched cuda_grid: one launch for all products.
 *
 * Technique: blockIdx.z is the product. Else the kernel is that of cuda_loop, one thread per element.
 *
 * What it fixes in cuda_loop: there is one launch, and blocks of all products run side by side, as many as the GPU
 * holds.
 *
 * What bounds it: loads. Each multiply-add takes two, and a row of A is loaded again for each element of C in it. In
 * the row below, whose 2.4 MB and 11 Mflop would take less than a microsecond, also latency: the launch, and 28 steps
 * one after the other.
 *
 * Measured, results/h200-x1/network.csv:
 *   matmul_batched/256-of-28x28/cuda_grid/cold 10.37 us
 *   matmul_batched/256-of-28x28/cuda_grid/cold ceiling_pct 38.6 % */
#include "bench/table/matmul_batched.h"
#include "kernels/launch.h"

constexpr int THREADS = 256;

static __global__ void matmul_batched_grid_kernel(struct matmul_batched_problem p)
{
    int64_t element = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (element >= p.m * p.n)
        return;
    int64_t row = element / p.n, column = element % p.n;
    /* One turn, unless there are more products than a grid can have blocks along z. */
    for (int64_t i = blockIdx.z; i < p.batch; i += gridDim.z) {
        const float *a = p.a + (i * p.m + row) * p.k, *b = p.b + i * p.k * p.n + column;
        float sum = 0;
        for (int64_t q = 0; q < p.k; q++)
            sum = fmaf(a[q], b[q * p.n], sum);
        p.c[i * p.m * p.n + element] = sum;
    }
}

const char *matmul_batched_cuda_grid(const void *problem, void *stream)
{
    const struct matmul_batched_problem *p = (const struct matmul_batched_problem *)problem;
    return TRY_LAUNCH(__func__, matmul_batched_grid_kernel, grid_size(ceil_div(p->m * p->n, THREADS), 1, p->batch),
                      THREADS, 0, stream, *p);
}
