/* zip cuda_tiled: a transposed view through a shared-memory tile.
 *
 * Technique: that of transpose cuda_padded, without writing the transposed matrix. A block copies a tile of z, 32 x 32
 * elements, into shared memory along the rows of z as they lie in memory. Then its threads walk along the rows of x and
 * y, and read columns of the tile. Its rows are 33 elements long, so that a column lies in 32 banks. A block has 32 x 8
 * threads with four elements each.
 *
 * What it fixes in cuda_vector: a warp's loads of z are whole lines, as those of x. With other views they are already,
 * and cuda_vector runs.
 *
 * What bounds it: memory; 12 bytes per element are the least that the problem needs. Its loads and stores move 4 bytes
 * per thread (transpose cuda_vector has the cure). */
#include "bench/table/rung.h"
#include "bench/table/zip.h"
#include "kernels/launch.h"

constexpr int TILE = 32, ROWS = 8; /* a block has TILE x ROWS threads */
static_assert(TILE * ROWS <= 1024, "a block has at most 1024 threads");
static_assert(TILE % ROWS == 0, "threads take equally many elements");
static_assert(TILE == 32, "a warp is in one row: then its loads and stores are whole lines");
static_assert((TILE + 1) % 32 == 1, "a column of the tile lies in 32 banks");
static_assert(TILE * (TILE + 1) * sizeof(float) <= 48 * 1024, "static shared memory is at most 48 KiB");
static_assert(ZIP_SIZE_MAX + TILE <= INT32_MAX, "32 bits hold the numbers of rows and columns");

/* x and y are m x n, z is n x m. */
static __global__ void __launch_bounds__(TILE *ROWS)
    zip_tiled_kernel(int64_t m, int64_t n, const float *x, const float *z, float *y)
{
    SHARED_ARRAY(float, tile, TILE, TILE + 1);
    int tx = (int)threadIdx.x, ty = (int)threadIdx.y;
    int column = (int)blockIdx.x * TILE;
    /* One turn, unless m needs more blocks than a grid can have along y. */
    for (int row = (int)blockIdx.y * TILE; row < m; row += (int)gridDim.y * TILE) {
#pragma unroll
        for (int j = ty; j < TILE; j += ROWS)
            if (column + j < n && row + tx < m)
                tile[j][tx] = z[(column + j) * m + row + tx];
        __syncthreads();
#pragma unroll
        for (int i = ty; i < TILE; i += ROWS)
            if (row + i < m && column + tx < n)
                y[(row + i) * n + column + tx] = ZIP_A * x[(row + i) * n + column + tx] + tile[tx][i];
        __syncthreads();
    }
}

const char *zip_cuda_tiled(const void *problem, void *stream)
{
    const struct zip_problem *p = (const struct zip_problem *)problem;
    if (p->z_column <= 1)
        return rung_hand_over(zip_cuda_vector, problem, stream);
    dim3 grid((unsigned)ceil_div(p->n, TILE), grid_yz(ceil_div(p->m, TILE)));
    LAUNCH(zip_tiled_kernel, grid, dim3(TILE, ROWS), 0, (cudaStream_t)stream, p->m, p->n, p->x, p->z, p->y);
    return launch_error(__func__);
}
