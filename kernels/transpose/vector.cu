/* transpose cuda_vector: 16 bytes at a time, and a tile without padding or bank conflicts.
 *
 * Technique: a thread loads four neighbours of a row of x at once (a float4), and stores four neighbours of a row of y.
 * Between them is the tile, 32 rows of eight float4s. Padding by one element would leave rows that do not begin at
 * multiples of 16 bytes. Instead each row keeps its float4s in an order of its own: row i has float4 q in place
 * q ^ (i / 4). To store four elements, a thread reads them from four rows of one column. The lanes of a warp read from
 * eight groups of four rows at four neighbouring columns, and find the same q in eight different places: all 32 banks
 * are used once.
 *
 * A 16-byte access must start at a multiple of 16. In x it does if the matrix starts at one and n is a multiple of
 * four, in y with m. Where it does not, the launcher takes a kernel that loads or stores single elements there.
 *
 * What it fixes in cuda_padded: a quarter of the loads from memory, of the stores and of the guards. There are as many
 * reads of the tile as before.
 *
 * What bounds it: memory; 8 bytes per element are the least that the problem needs. */
#include "bench/table/rung.h"
#include "bench/table/transpose.h"
#include "kernels/four.h"
#include "kernels/launch.h"

constexpr int TILE = 32, FOURS = TILE / 4, THREADS = TILE * FOURS; /* one float4 of x and one of y per thread */
static_assert(THREADS <= 1024, "a block has at most 1024 threads");
static_assert(FOURS * 4 == 32, "a row of the tile is all banks: then its places keep conflicts away");
static_assert(TILE * TILE * sizeof(float) <= 48 * 1024, "static shared memory is at most 48 KiB");
static_assert(TRANSPOSE_SIZE_MAX + TILE <= INT32_MAX, "32 bits hold the numbers of rows and columns");

/* x is m x n, y is n x m. WIDE_X: rows of x are aligned to 16 bytes. WIDE_Y: rows of y are. */
template <bool WIDE_X, bool WIDE_Y>
static __global__ void __launch_bounds__(THREADS)
    transpose_vector_kernel(int64_t m, int64_t n, const float *x, float *y)
{
    SHARED_ARRAY(float4, tile, TILE, FOURS);
    int four = (int)threadIdx.x % FOURS, line = (int)threadIdx.x / FOURS; /* a row of x, then a row of y */
    int column = (int)blockIdx.x * TILE;
    int columns = (int)n - column;
    /* One turn, unless m needs more blocks than a grid can have along y. */
    for (int row = (int)blockIdx.y * TILE; row < m; row += (int)gridDim.y * TILE) {
        int rows = (int)m - row;
        tile[line][four ^ (line / 4)] =
            load_four<WIDE_X>(x + (row + line) * n + column + 4 * four, line < rows ? columns - 4 * four : 0);
        __syncthreads();
        float turned[4];
#pragma unroll
        for (int e = 0; e < 4; e++)
            turned[e] = (&tile[4 * four + e][(line / 4) ^ four].x)[line % 4];
        store_four<WIDE_Y>(y + (column + line) * m + row + 4 * four, pack(turned),
                           line < columns ? rows - 4 * four : 0);
        __syncthreads();
    }
}

const char *transpose_cuda_vector(const void *problem, void *stream)
{
    const struct transpose_problem *p = (const struct transpose_problem *)problem;
    bool wide_x = p->n % 4 == 0 && is_aligned(p->x, 16), wide_y = p->m % 4 == 0 && is_aligned(p->y, 16);
    auto narrow = wide_y ? transpose_vector_kernel<false, true> : transpose_vector_kernel<false, false>;
    auto wide = wide_y ? transpose_vector_kernel<true, true> : transpose_vector_kernel<true, false>;
    dim3 grid((unsigned)ceil_div(p->n, TILE), grid_yz(ceil_div(p->m, TILE)));
    LAUNCH((wide_x ? wide : narrow), grid, THREADS, 0, (cudaStream_t)stream, p->m, p->n, p->x, p->y);
    return launch_error(__func__);
}
