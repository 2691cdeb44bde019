/* zip cuda_tiled: a transposed view through a shared-memory tile, 16 bytes at a time.
 *
 * Technique: that of transpose cuda_vector, without writing the transposed matrix. A block copies a tile of z into
 * shared memory along the rows of z as they lie in memory. Then its threads walk along the rows of x and y, and read
 * columns of the tile (kernels/turned_tile.h):
 *
 *           n                         m
 *      +----+-----+              +----+-----+
 *      |    |     |              |    |     |
 *   m  +----+-----+           n  +----+-----+
 *      |    |/////|              |    |     |
 *      +----+-----+              |    |/////|
 *      x and y                   +----+-----+  z
 *
 * All loads of a thread, four of x and four of z, begin before it waits for the first. A matrix with too few tiles of
 * 64 x 64 for all multiprocessors is cut into tiles of 32 x 32, with one load of each. Where rows are not aligned to 16
 * bytes, a second kernel moves single elements, through a tile with a padding element.
 *
 * What it fixes in cuda_vector: a warp's loads of z are whole lines, as those of x. With other views they are already,
 * and cuda_vector runs.
 *
 * What bounds it: memory. 12 bytes per element are the least that the problem needs: 0.8 GB in the row below, 180 us at
 * 4.6 TB/s. A warp takes two columns of a large tile and not four, so two lanes share each bank that it uses: whole
 * rows of 256 bytes are stored at a time.
 *
 * Measured, results/h200-x1/network.csv:
 *   zip/large-transposed/cuda_tiled/cold 186.3 us
 *   zip/large-transposed/cuda_tiled/cold ceiling_pct 94.5 % */
#include "bench/table/zip.h"
#include "kernels/four.h"
#include "kernels/launch.h"
#include "kernels/turned_tile.h"

static_assert(RUNG_SIZE_MAX + LARGE_TILE <= INT32_MAX, "32 bits hold the numbers of rows and columns");

constexpr int BLOCKS = 3; /* that a multiprocessor holds, at least: with room for all loads in registers */

/* x and y are m x n, z is n x m; rows of all are aligned to 16 bytes. */
template <int TILE>
static __global__ void __launch_bounds__(TURN_THREADS, BLOCKS)
    zip_tiled_kernel(int64_t m, int64_t n, const float *x, const float *z, float *y)
{
    constexpr int FOURS = TILE / 4, LINES = TURN_THREADS / FOURS, LOADS = TILE / LINES; /* of a thread, of x and of z */
    __shared__ float4 tile[TILE][FOURS];
    int four = (int)threadIdx.x % FOURS, first = (int)threadIdx.x / FOURS; /* of its rows of z, then of x and y */
    int column = (int)blockIdx.x * TILE;
    int columns = (int)n - column;
    /* One turn, unless m needs more blocks than a grid can have along y. */
    for (int row = (int)blockIdx.y * TILE; row < m; row += (int)gridDim.y * TILE) {
        int rows = (int)m - row;
        float4 of_z[LOADS], of_x[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            of_z[k] = load_near(z + column * m + row, m, columns, rows, first + k * LINES, four);
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            of_x[k] = load_near(x + row * n + column, n, rows, columns, first + k * LINES, four);
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            tile_put(tile, first + k * LINES, four, of_z[k]);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            int line = first + k * LINES;
            float4 a = of_x[k], b = tile_take(tile, line, four);
            float4 sum = make_float4(ZIP_A * a.x + b.x, ZIP_A * a.y + b.y, ZIP_A * a.z + b.z, ZIP_A * a.w + b.w);
            store_four<true>(y + (row + line) * n + column + 4 * four, sum, line < rows ? columns - 4 * four : 0);
        }
        __syncthreads();
    }
}

/* The same, with rows that may begin anywhere. */
template <int TILE>
static __global__ void __launch_bounds__(TURN_THREADS, BLOCKS)
    zip_narrow_kernel(int64_t m, int64_t n, const float *x, const float *z, float *y)
{
    constexpr int LINES = TURN_THREADS / TILE, LOADS = TILE / LINES; /* of a thread, of x and of z */
    __shared__ float tile[TILE][TILE + 1];
    int along = (int)threadIdx.x % TILE, first = (int)threadIdx.x / TILE;
    int column = (int)blockIdx.x * TILE;
    int columns = (int)n - column;
    /* One turn, unless m needs more blocks than a grid can have along y. */
    for (int row = (int)blockIdx.y * TILE; row < m; row += (int)gridDim.y * TILE) {
        int rows = (int)m - row;
        float of_z[LOADS], of_x[LOADS]; /* behind the last row or column it is the last again, as in load_near() */
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            of_z[k] = z[(column + min(first + k * LINES, columns - 1)) * m + row + min(along, rows - 1)];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            of_x[k] = x[(row + min(first + k * LINES, rows - 1)) * n + column + min(along, columns - 1)];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            tile[first + k * LINES][along] = of_z[k];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            int line = first + k * LINES;
            if (line < rows && along < columns)
                y[(row + line) * n + column + along] = ZIP_A * of_x[k] + tile[along][line];
        }
        __syncthreads();
    }
}

template <int TILE>
static const char *launch(const char *rung, const struct zip_problem *p, void *stream)
{
    bool wide = p->n % 4 == 0 && p->m % 4 == 0 && is_aligned(p->x, 16) && is_aligned(p->y, 16) && is_aligned(p->z, 16);
    auto kernel = wide ? zip_tiled_kernel<TILE> : zip_narrow_kernel<TILE>;
    return TRY_LAUNCH(rung, kernel, grid_size(ceil_div(p->n, TILE), ceil_div(p->m, TILE)), TURN_THREADS, 0, stream,
                      p->m, p->n, p->x, p->z, p->y);
}

const char *zip_cuda_tiled(const void *problem, void *stream)
{
    const struct zip_problem *p = (const struct zip_problem *)problem;
    if (p->z_column <= 1)
        return rung_hand_over(zip_cuda_vector, problem, stream);
    return has_large_tiles(p->m, p->n) ? launch<LARGE_TILE>(__func__, p, stream)
                                       : launch<SMALL_TILE>(__func__, p, stream);
}
