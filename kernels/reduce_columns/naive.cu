/* reduce_columns cuda_naive: one thread per column.
 *
 * Technique: a thread walks down its column. Neighbouring threads have neighbouring columns, so a warp reads whole
 * lines in each step, and nobody shares a sum.
 *
 * What it fixes in the CPU rungs: all columns at once.
 *
 * What bounds it: latency. There are as many threads as columns. The row below has 1,024, 8 blocks for 132
 * multiprocessors, and each thread waits for 262,144 elements, a few at a time. Memory would take 230 us, 1.1 GB at 4.6
 * TB/s.
 *
 * Measured, results/h200-x1/network.csv:
 *   reduce_columns/large/cuda_naive/cold 28.77 ms
 *   reduce_columns/large/cuda_naive/cold ceiling_pct 0.817 % */
#include "bench/table/reduce_columns.h"
#include "kernels/launch.h"

constexpr int THREADS = 128;
static_assert(RUNG_SIZE_MAX + THREADS <= INT32_MAX, "32 bits hold the number of a column");

/* x is m x n. */
static __global__ void reduce_columns_naive_kernel(int64_t m, int n, const float *x, float *y)
{
    int column = (int)blockIdx.x * THREADS + (int)threadIdx.x;
    if (column >= n)
        return;
    float sum = 0;
    for (int64_t row = 0; row < m; row++)
        sum += x[row * n + column];
    y[column] = sum;
}

const char *reduce_columns_cuda_naive(const void *problem, void *stream)
{
    const struct reduce_columns_problem *p = (const struct reduce_columns_problem *)problem;
    return TRY_LAUNCH(__func__, reduce_columns_naive_kernel, ceil_div(p->n, THREADS), THREADS, 0, stream, p->m,
                      (int)p->n, p->x, p->y);
}
