/* transpose cuda_naive: one thread per element.
 *
 * Technique: the loops over rows and columns become a 2-D grid. threadIdx.x walks along a row of x, so a warp reads 32
 * neighbours, one whole line. A block has 32 x 8 threads. A guard stops threads that lie beyond the edge.
 *
 * What it fixes in the CPU rungs: no element waits for another, and the memory of the GPU feeds them all.
 *
 * What bounds it: the stores. What a warp reads from one row goes to a column, 32 different lines, and of each it
 * writes 4 bytes. Memory moves sectors of 32, so the L2 cache gets 67 million of them in the row below, eight times as
 * many as y has. Memory alone would take 120 us for the 8 bytes per element, 0.5 GB at 4.5 TB/s. With threadIdx.x along
 * a row of y, the loads would be the scattered ones; one of both has to be, as long as a thread writes what it reads.
 *
 * Measured, results/h200-x1/network.csv:
 *   transpose/large/cuda_naive/cold 992.0 us
 *   transpose/large/cuda_naive/cold ceiling_pct 12.0 % */
#include "bench/table/transpose.h"
#include "kernels/launch.h"

constexpr int COLUMNS = 32, ROWS = 8; /* of x that a block takes */
static_assert(COLUMNS == 32, "a warp is in one row: then its loads are whole lines");
static_assert(RUNG_SIZE_MAX + COLUMNS <= INT32_MAX, "32 bits hold the numbers of rows and columns");

/* x is m x n, y is n x m. */
static __global__ void transpose_naive_kernel(int64_t m, int64_t n, const float *x, float *y)
{
    int column = (int)blockIdx.x * COLUMNS + (int)threadIdx.x;
    if (column >= n)
        return;
    /* One turn, unless m needs more blocks than a grid can have along y. */
    for (int row = (int)blockIdx.y * ROWS + (int)threadIdx.y; row < m; row += (int)gridDim.y * ROWS)
        y[column * m + row] = x[row * n + column];
}

const char *transpose_cuda_naive(const void *problem, void *stream)
{
    const struct transpose_problem *p = (const struct transpose_problem *)problem;
    return TRY_LAUNCH(__func__, transpose_naive_kernel, grid_size(ceil_div(p->n, COLUMNS), ceil_div(p->m, ROWS)),
                      dim3(COLUMNS, ROWS), 0, stream, p->m, p->n, p->x, p->y);
}
