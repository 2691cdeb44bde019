/* zip cuda_naive: one thread per element, whatever the strides.
 *
 * Technique: a view is a pointer and two strides. A stride of 0 broadcasts, and exchanged strides transpose, so one
 * kernel serves all views, and z is never copied. threadIdx.x walks along a row of x and y, so a warp reads and writes
 * whole lines of them. A block has 32 x 8 threads.
 *
 * What it fixes in the CPU rungs: no element waits for another, and the memory of the GPU feeds them all.
 *
 * What bounds it: memory, but how much of it the view decides. A warp reads a line of a whole view or of a row, and one
 * element of a column, all from the caches in the two latter cases. Of a transposed view it reads 32 lines, one element
 * of each: 32 sectors where 4 would do. Memory would take 180 us for the row below: 12 bytes per element, 0.8 GB at 4.6
 * TB/s. And a thread has few bytes in flight.
 *
 * Measured, results/h200-x1/network.csv:
 *   zip/large-transposed/cuda_naive/cold 350.0 us
 *   zip/large-transposed/cuda_naive/cold ceiling_pct 50.3 % */
#include "bench/table/zip.h"
#include "kernels/launch.h"

constexpr int COLUMNS = 32, ROWS = 8; /* that a block takes */
static_assert(COLUMNS == 32, "a warp is in one row: then it reads and writes whole lines");
static_assert(RUNG_SIZE_MAX + COLUMNS <= INT32_MAX, "32 bits hold the numbers of rows and columns");

static __global__ void zip_naive_kernel(struct zip_problem p)
{
    int column = (int)blockIdx.x * COLUMNS + (int)threadIdx.x;
    if (column >= p.n)
        return;
    /* One turn, unless m needs more blocks than a grid can have along y. */
    for (int row = (int)blockIdx.y * ROWS + (int)threadIdx.y; row < p.m; row += (int)gridDim.y * ROWS)
        p.y[row * p.n + column] = ZIP_A * p.x[row * p.n + column] + p.z[row * p.z_row + column * p.z_column];
}

const char *zip_cuda_naive(const void *problem, void *stream)
{
    const struct zip_problem *p = (const struct zip_problem *)problem;
    return TRY_LAUNCH(__func__, zip_naive_kernel, grid_size(ceil_div(p->n, COLUMNS), ceil_div(p->m, ROWS)),
                      dim3(COLUMNS, ROWS), 0, stream, *p);
}
