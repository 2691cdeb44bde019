/* transpose cuda_tiled: through a shared-memory tile.
 *
 * Technique: a block of 32 x 32 threads copies a tile of 32 x 32 elements into shared memory, row by row, waits, and
 * writes it out column by column: a warp reads a column of the tile, and writes it as a row of y. So a thread writes
 * what another one has read.
 *
 * What it fixes in cuda_naive: both the loads and the stores of a warp are whole lines.
 *
 * What bounds it: bank conflicts. Shared memory has 32 banks, in which neighbours lie side by side, so the elements of
 * a column of 32 x 32 are all in the same one, and a warp's read of them takes 32 wavefronts instead of one. The 67
 * million elements of the row below take as many: half a million clocks on each of 132 multiprocessors, 260 us at 1980
 * MHz, where memory would take 120 us. Besides, a thread has one load in flight, and all 1024 of a block wait for the
 * last.
 *
 * Measured, results/h200-x1/network.csv:
 *   transpose/large/cuda_tiled/cold 512.7 us
 *   transpose/large/cuda_tiled/cold ceiling_pct 23.2 % */
#include "bench/table/transpose.h"
#include "kernels/launch.h"

constexpr int TILE = 32; /* one thread per element */
static_assert(TILE == 32, "a warp is in one row: then its loads and stores are whole lines");
static_assert(RUNG_SIZE_MAX + TILE <= INT32_MAX, "32 bits hold the numbers of rows and columns");

/* x is m x n, y is n x m. */
static __global__ void __launch_bounds__(TILE *TILE)
    transpose_tiled_kernel(int64_t m, int64_t n, const float *x, float *y)
{
    __shared__ float tile[TILE][TILE];
    int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    int column = (int)blockIdx.x * TILE;
    /* One turn, unless m needs more blocks than a grid can have along y. */
    for (int row = (int)blockIdx.y * TILE; row < m; row += (int)gridDim.y * TILE) {
        if (row + ty < m && column + tx < n)
            tile[ty][tx] = x[(row + ty) * n + column + tx];
        __syncthreads();
        if (column + ty < n && row + tx < m)
            y[(column + ty) * m + row + tx] = tile[tx][ty];
        __syncthreads();
    }
}

const char *transpose_cuda_tiled(const void *problem, void *stream)
{
    const struct transpose_problem *p = (const struct transpose_problem *)problem;
    return TRY_LAUNCH(__func__, transpose_tiled_kernel, grid_size(ceil_div(p->n, TILE), ceil_div(p->m, TILE)),
                      dim3(TILE, TILE), 0, stream, p->m, p->n, p->x, p->y);
}
