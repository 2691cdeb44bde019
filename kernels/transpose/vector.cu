/* transpose cuda_vector: 16 bytes at a time, four loads in flight, and a tile without padding or bank conflicts.
 *
 * Technique: a thread loads four neighbours of a row of x at once (a float4), and stores four neighbours of a row of y.
 * Between them is a tile whose rows keep their float4s in different orders (kernels/turned_tile.h). It has 64 x 64
 * elements, and its threads begin four loads each before they wait for the first. A warp loads two rows of the tile,
 * and stores half of each of four rows of y, whole lines of 128 bytes:
 *
 *      x   |----- lanes 0 to 15 -----|        y   |- lanes 0 to 7 -|- next warp -|
 *          |----- lanes 16 to 31 ----|            |- 8 to 15 ------|             |
 *                                                 |- 16 to 23 -----|             |
 *                                                 |- 24 to 31 -----|             |
 *
 * They take eight float4s of each of four columns of the tile: with fewer columns, lanes would share banks. A matrix
 * with too few such tiles for all multiprocessors is cut into tiles of 32 x 32, one float4 per thread.
 *
 * A 16-byte access must start at a multiple of 16. In x it does if the matrix starts at one and n is a multiple of
 * four, in y with m. Where one does not, the launcher takes a second kernel, which moves single elements through a
 * padded tile, as cuda_padded does, with four times as many loads of each thread in flight if the tile is large.
 *
 * What it fixes in cuda_padded: a quarter of the loads from memory, of the stores and of the guards, and four times as
 * many bytes in flight. There are as many reads of the tile as before.
 *
 * What bounds it: memory. 8 bytes per element are the least that the problem needs: 0.5 GB in the row below, 120 us at
 * 4.5 TB/s.
 *
 * Measured, results/h200-x1/network.csv:
 *   transpose/large/cuda_vector/cold 131.9 us
 *   transpose/large/cuda_vector/cold ceiling_pct 90.2 % */
#include "bench/table/transpose.h"
#include "kernels/four.h"
#include "kernels/launch.h"
#include "kernels/turned_tile.h"

constexpr int BLOCKS = 4; /* that a multiprocessor holds, at least */
static_assert(RUNG_SIZE_MAX + LARGE_TILE <= INT32_MAX, "32 bits hold the numbers of rows and columns");

struct tile_begin {
    int row, column;
};

/* Where the tile of a block begins. Neighbouring blocks have tiles that are neighbours along the shorter side of the
 * matrix: so those that run at a time cover long pieces of rows, both of x and of y. */
template <int TILE>
static __device__ __forceinline__ tile_begin begin_of_tile(int64_t m, int64_t n)
{
    int down = ((int)m - 1) / TILE + 1, across = ((int)n - 1) / TILE + 1, block = (int)blockIdx.x;
    if (m < n)
        return {block % down * TILE, block / down * TILE};
    return {block / across * TILE, block % across * TILE};
}

/* x is m x n, y is n x m; rows of both are aligned to 16 bytes. */
template <int TILE>
static __global__ void __launch_bounds__(TURN_THREADS, BLOCKS)
    transpose_vector_kernel(int64_t m, int64_t n, const float *x, float *y)
{
    constexpr int FOURS = TILE / 4, LOADS = TILE * FOURS / TURN_THREADS; /* float4s of a row, and of a thread */
    constexpr int WARPS = FOURS / 8;                                     /* that store a row of y together */
    __shared__ float4 tile[TILE][FOURS];
    auto [row, column] = begin_of_tile<TILE>(m, n);
    int rows = (int)m - row, columns = (int)n - column;
    float4 loaded[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        int place = k * TURN_THREADS + (int)threadIdx.x;
        loaded[k] = load_near(x + row * n + column, n, rows, columns, place / FOURS, place % FOURS);
    }
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        int place = k * TURN_THREADS + (int)threadIdx.x;
        tile_put(tile, place / FOURS, place % FOURS, loaded[k]);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        int warp = k * (TURN_THREADS / 32) + (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
        int line = warp / WARPS * 4 + lane / 8, four = warp % WARPS * 8 + lane % 8;
        store_four<true>(y + (column + line) * m + row + 4 * four, tile_take(tile, line, four),
                         line < columns ? rows - 4 * four : 0);
    }
}

/* The same, with rows that may begin anywhere. */
template <int TILE>
static __global__ void __launch_bounds__(TURN_THREADS, BLOCKS)
    transpose_narrow_kernel(int64_t m, int64_t n, const float *x, float *y)
{
    constexpr int ROWS = TURN_THREADS / TILE, LOADS = TILE / ROWS; /* at a time, and of a thread */
    __shared__ float tile[TILE][TILE + 1];
    auto [row, column] = begin_of_tile<TILE>(m, n);
    int rows = (int)m - row, columns = (int)n - column;
    int along = (int)threadIdx.x % TILE, across = (int)threadIdx.x / TILE;
    float loaded[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++) /* behind the last it is the last again: a guard would make each load wait */
        loaded[k] = x[(row + min(across + k * ROWS, rows - 1)) * n + column + min(along, columns - 1)];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        tile[across + k * ROWS][along] = loaded[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        int line = across + k * ROWS;
        if (line < columns && along < rows)
            y[(column + line) * m + row + along] = tile[along][line];
    }
}

template <int TILE>
static const char *launch(const char *rung, const struct transpose_problem *p, void *stream)
{
    bool wide = p->n % 4 == 0 && p->m % 4 == 0 && is_aligned(p->x, 16) && is_aligned(p->y, 16);
    auto kernel = wide ? transpose_vector_kernel<TILE> : transpose_narrow_kernel<TILE>;
    return TRY_LAUNCH(rung, kernel, ceil_div(p->m, TILE) * ceil_div(p->n, TILE), TURN_THREADS, 0, stream, p->m, p->n,
                      p->x, p->y);
}

const char *transpose_cuda_vector(const void *problem, void *stream)
{
    const struct transpose_problem *p = (const struct transpose_problem *)problem;
    return has_large_tiles(p->m, p->n) ? launch<LARGE_TILE>(__func__, p, stream)
                                       : launch<SMALL_TILE>(__func__, p, stream);
}
