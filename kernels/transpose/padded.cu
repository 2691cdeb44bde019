/* transpose cuda_padded: a padded tile, and four elements per thread.
 *
 * Technique: rows of the tile are 33 elements long, of which the last is never used. So from one row to the next, an
 * element of a column moves on by one bank, and the 32 of a column lie in 32 banks. A block has 32 x 8 threads, each of
 * which copies four elements, eight rows apart.
 *
 *      bank of each element:  rows of 32                    rows of 33, x is never used
 *                             row 0   0  1  2 ... 31        row 0   0  1  2 ... 31  x
 *                             row 1   0  1  2 ... 31        row 1   1  2  3 ...  0  x
 *                             row 2   0  1  2 ... 31        row 2   2  3  4 ...  1  x
 *                                     ^                             ^
 *      the first column:      bank 0, 32 times              banks 0, 1, 2, ... 31
 *
 * What it fixes in cuda_tiled: a warp reads a column of the tile in one step, and a thread has four loads in flight.
 *
 * What bounds it: memory, as far as it is kept busy: 0.5 GB take 120 us at 4.5 TB/s, but a load moves 4 bytes, and a
 * thread has 16 bytes in flight.
 *
 * Measured, results/h200-x1/network.csv:
 *   transpose/large/cuda_padded/cold 178.3 us
 *   transpose/large/cuda_padded/cold ceiling_pct 66.7 % */
#include "bench/table/transpose.h"
#include "kernels/launch.h"

constexpr int TILE = 32, ROWS = 8; /* a block has TILE x ROWS threads */
static_assert(TILE % ROWS == 0, "threads take equally many elements");
static_assert(TILE == 32, "a warp is in one row: then its loads and stores are whole lines");
static_assert((TILE + 1) % 32 == 1, "a column of the tile lies in 32 banks");
static_assert(RUNG_SIZE_MAX + TILE <= INT32_MAX, "32 bits hold the numbers of rows and columns");

/* x is m x n, y is n x m. */
static __global__ void __launch_bounds__(TILE *ROWS)
    transpose_padded_kernel(int64_t m, int64_t n, const float *x, float *y)
{
    __shared__ float tile[TILE][TILE + 1];
    int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    int column = (int)blockIdx.x * TILE;
    /* One turn, unless m needs more blocks than a grid can have along y. */
    for (int row = (int)blockIdx.y * TILE; row < m; row += (int)gridDim.y * TILE) {
#pragma unroll
        for (int i = ty; i < TILE; i += ROWS)
            if (row + i < m && column + tx < n)
                tile[i][tx] = x[(row + i) * n + column + tx];
        __syncthreads();
#pragma unroll
        for (int i = ty; i < TILE; i += ROWS)
            if (column + i < n && row + tx < m)
                y[(column + i) * m + row + tx] = tile[tx][i];
        __syncthreads();
    }
}

const char *transpose_cuda_padded(const void *problem, void *stream)
{
    const struct transpose_problem *p = (const struct transpose_problem *)problem;
    return TRY_LAUNCH(__func__, transpose_padded_kernel, grid_size(ceil_div(p->n, TILE), ceil_div(p->m, TILE)),
                      dim3(TILE, ROWS), 0, stream, p->m, p->n, p->x, p->y);
}
