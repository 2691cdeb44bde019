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
 * four, in y with m. Where it does not, the launcher takes a kernel that loads or stores single elements there.
 *
 * What it fixes in cuda_padded: a quarter of the loads from memory, of the stores and of the guards, and four times as
 * many bytes in flight. There are as many reads of the tile as before.
 *
 * What bounds it: memory; 8 bytes per element are the least that the problem needs. */
#include "bench/table/rung.h"
#include "bench/table/transpose.h"
#include "kernels/four.h"
#include "kernels/launch.h"
#include "kernels/turned_tile.h"

static_assert(TRANSPOSE_SIZE_MAX + LARGE_TILE <= INT32_MAX, "32 bits hold the numbers of rows and columns");

/* x is m x n, y is n x m. WIDE_X: rows of x are aligned to 16 bytes. WIDE_Y: rows of y are. */
template <int TILE, bool WIDE_X, bool WIDE_Y>
static __global__ void __launch_bounds__(TURN_THREADS, TURN_BLOCKS)
    transpose_vector_kernel(int64_t m, int64_t n, const float *x, float *y)
{
    constexpr int FOURS = TILE / 4, LOADS = TILE * FOURS / TURN_THREADS; /* float4s of a row, and of a thread */
    constexpr int WARPS = FOURS / 8;                                     /* that store a row of y together */
    SHARED_ARRAY(float4, tile, TILE, FOURS);
    int column = (int)blockIdx.x * TILE;
    int columns = (int)n - column;
    /* One turn, unless m needs more blocks than a grid can have along y. */
    for (int row = (int)blockIdx.y * TILE; row < m; row += (int)gridDim.y * TILE) {
        int rows = (int)m - row;
        float4 loaded[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            int place = k * TURN_THREADS + (int)threadIdx.x;
            loaded[k] = load_near<WIDE_X>(x + row * n + column, n, rows, columns, place / FOURS, place % FOURS);
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
            store_four<WIDE_Y>(y + (column + line) * m + row + 4 * four, tile_take(tile, line, four),
                               line < columns ? rows - 4 * four : 0);
        }
        __syncthreads();
    }
}

template <int TILE>
static void launch(const struct transpose_problem *p, cudaStream_t stream)
{
    bool wide_x = p->n % 4 == 0 && is_aligned(p->x, 16), wide_y = p->m % 4 == 0 && is_aligned(p->y, 16);
    auto narrow = wide_y ? transpose_vector_kernel<TILE, false, true> : transpose_vector_kernel<TILE, false, false>;
    auto wide = wide_y ? transpose_vector_kernel<TILE, true, true> : transpose_vector_kernel<TILE, true, false>;
    dim3 grid((unsigned)ceil_div(p->n, TILE), grid_yz(ceil_div(p->m, TILE)));
    LAUNCH((wide_x ? wide : narrow), grid, TURN_THREADS, 0, stream, p->m, p->n, p->x, p->y);
}

const char *transpose_cuda_vector(const void *problem, void *stream)
{
    const struct transpose_problem *p = (const struct transpose_problem *)problem;
    if (has_large_tiles(p->m, p->n))
        launch<LARGE_TILE>(p, (cudaStream_t)stream);
    else
        launch<SMALL_TILE>(p, (cudaStream_t)stream);
    return launch_error(__func__);
}
