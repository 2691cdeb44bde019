/* reduce_columns cuda_atomic: the rows are cut into parts, whose sums are added by atomic operations.
 *
 * Technique: a block takes some columns of 64 rows. A thread walks down its column of that part, and adds its sum to y
 * with one atomicAdd(). y is set to zero before.
 *
 * What it fixes in cuda_naive: there are as many blocks as the GPU needs, however few columns there are.
 *
 * What it costs: the order in which blocks arrive is not fixed, and neither are the last bits of the sums. Each sum in
 * y gets one atomic operation per 64 rows.
 *
 * What bounds it: memory, 1.1 GB in the row below, 230 us at 4.6 TB/s, but a thread asks for only 4 bytes at a time. Of
 * a narrow matrix, such as ten columns, most lanes of a warp have nothing.
 *
 * Measured, results/h200-x1/network.csv:
 *   reduce_columns/large/cuda_atomic/cold 275.0 us
 *   reduce_columns/large/cuda_atomic/cold ceiling_pct 85.4 % */
#include "bench/table/reduce_columns.h"
#include "kernels/launch.h"

constexpr int THREADS = 128, ROWS = 64; /* of a part */
static_assert(RUNG_SIZE_MAX + THREADS + ROWS <= INT32_MAX, "32 bits hold the number of a row or column");

/* x is m x n, in `panels` panels of columns; y is zero. */
static __global__ void reduce_columns_atomic_kernel(int m, int n, unsigned panels, const float *x, float *y)
{
    int column = (int)(blockIdx.x % panels) * THREADS + (int)threadIdx.x;
    int first = (int)(blockIdx.x / panels) * ROWS, end = min(first + ROWS, m);
    if (column >= n)
        return;
    float sum = 0;
#pragma unroll 8 /* loads in flight */
    for (int64_t row = first; row < end; row++)
        sum += x[row * n + column];
    atomicAdd(&y[column], sum);
}

const char *reduce_columns_cuda_atomic(const void *problem, void *stream)
{
    const struct reduce_columns_problem *p = (const struct reduce_columns_problem *)problem;
    int64_t panels = ceil_div(p->n, THREADS), blocks = panels * ceil_div(p->m, ROWS);
    (void)cudaMemsetAsync(p->y, 0, (size_t)p->n * sizeof(float), (cudaStream_t)stream);
    return TRY_LAUNCH(__func__, reduce_columns_atomic_kernel, blocks, THREADS, 0, stream, (int)p->m, (int)p->n,
                      (unsigned)panels, p->x, p->y);
}
