/* matmul cuda_warp_tile: a tile of C per warp, whose lanes share what they read.
 *
 * Technique: loads, stores and arithmetic are those of cuda_vector. What changes is which thread has which elements of
 * C. A block is only four warps, with 64 x 128 elements of C; a warp has 32 x 64 of them, divided among 4 x 8 lanes.
 * Each lane has 8 x 8 elements, in four pieces of 4 x 4.
 *
 *     a block's tile: 2 x 2 warps           a warp's part: 4 x 8 lanes, four times
 *               64              64                        32                              32
 *      +---------------+---------------+     +-------------------------------+-------------------------------+
 *      |     warp      |     warp      |     |  0   1   8   9  16  17  24  25|  0   1   8   9  16  17  24  25|
 *   32 |       0       |       1       |  16 |  2   3  10  11  18  19  26  27|  2   3  10  11  18  19  26  27|
 *      +---------------+---------------+     |  4   5  12  13  20  21  28  29|  4   5  12  13  20  21  28  29|
 *      |     warp      |     warp      |     |  6   7  14  15  22  23  30  31|  6   7  14  15  22  23  30  31|
 *   32 |       2       |       3       |     +-------------------------------+-------------------------------+
 *      +---------------+---------------+  16 |     the same again, below     |                               |
 *                                            +-------------------------------+-------------------------------+
 *      a number is a lane, and a piece of 4 x 4 elements that it computes
 *
 * For each step along k a warp reads 32 elements of As and 64 of Bs, 384 bytes; in cuda_vector, where it has 16 x 128
 * elements of C, it reads 576. The lanes are numbered so that each lane has the same rows as the one whose number
 * differs in bit 0, and the same columns as the one whose number differs in bit 1. Where all lanes of a warp read in
 * such pairs, the load units return the registers of two lanes at once: two wavefronts for a load of 16 bytes per lane
 * instead of four (https://forums.developer.nvidia.com/t/unexpected-shared-memory-bank-conflict/77228).
 *
 * What it fixes in cuda_vector: a warp is a unit of its own, so a block need not be large. Four blocks share a
 * multiprocessor instead of two. They wait at different times: while one waits for its tiles and at its barriers, three
 * compute. A step along k is twice as long, so there are half as many waits.
 *
 * What bounds it: still waiting. In each block all warps wait until the next tiles have come from memory, through
 * registers, to shared memory, and twice at a barrier. cuda_async copies tiles long before they are needed.
 *
 * What shows it, in ncu: l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum is two thirds of that of cuda_vector, and
 * smsp__issue_active.avg.pct_of_peak_sustained_active is larger.
 *
 * Measured, results/h200-x1/squares.csv.gz:
 *   matmul/square-4096/cuda_warp_tile/cold 3.235 ms
 *   matmul/square-4096/cuda_vector/cold 3.797 ms */
#include "bench/table/matmul.h"
#include "kernels/four.h"
#include "kernels/launch.h"

constexpr int BM = 64, BN = 128, BK = 16; /* a block's tile of C, and its step along k */
constexpr int WM = 32, WN = 64;           /* a warp's part of the tile */
constexpr int TM = 8, TN = 8;             /* rows and columns of a lane, in pieces of 4 x 4 */
constexpr int WARP = 32, WARPS_N = BN / WN, THREADS = BM / WM * WARPS_N * WARP, BLOCKS = 4;
constexpr int PAIR = 2, LANES_M = WM / TM, LANES_N = WN / TN;
constexpr int A_FOURS = BK / 4, B_FOURS = BN / 4;                     /* float4s in the rows of the tiles of A and B */
constexpr int A_STEP = THREADS / A_FOURS, B_STEP = THREADS / B_FOURS; /* rows that the threads load at once */
constexpr int AS_ROW = BM + 4; /* elements in a row of As; with the four, no more than two of the threads that store
                                  along k hit the same bank */
static_assert(BM % WM == 0 && BN % WN == 0, "a tile is whole parts of warps");
static_assert(TM == 8 && TN == 8, "a lane has four pieces of 4 x 4 elements");
static_assert(LANES_M * LANES_N == WARP && LANES_N % PAIR == 0, "a warp's part is whole pairs of lanes");
static_assert(BM % A_STEP == 0 && BK % B_STEP == 0, "each thread loads the same number of float4s");

/* Stores a lane's sums to its places in the block's tile of C, of which `rows` and `columns` are there. */
template <bool WIDE_N>
static __device__ __forceinline__ void store_sums(const float (&sums)[TM][TN], int64_t n, int rows, int columns,
                                                  int my_row, int my_column, int64_t first_row, int64_t first_column,
                                                  float *c)
{
#pragma unroll
    for (int i = 0; i < TM; i++) {
        int row = my_row + i / 4 * (WM / 2) + i % 4;
#pragma unroll
        for (int j = 0; j < TN; j += 4) {
            int column = my_column + j / 4 * (WN / 2);
            store_four<WIDE_N>(c + (first_row + row) * n + first_column + column, pack(&sums[i][j]),
                               row < rows ? columns - column : 0);
        }
    }
}

/* a is m x k, b is k x n, c is m x n, all row-major. c is tiles_n tiles wide. WIDE_A: rows of a are aligned to 16
 * bytes. WIDE_N: rows of b and c are. */
template <bool WIDE_A, bool WIDE_N>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    matmul_warp_tile_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b, float *c)
{
    __shared__ float4 As[BK][AS_ROW / 4];
    __shared__ float4 Bs[BK][BN / 4];
    int64_t first_row = (int64_t)(blockIdx.x / tiles_n) * BM, first_column = (int64_t)(blockIdx.x % tiles_n) * BN;
    int rows = (int)min(m - first_row, (int64_t)BM), columns = (int)min(n - first_column, (int64_t)BN);
    int thread = (int)threadIdx.x;

    /* This thread loads four elements of row ay of A, and of each A_STEP-th one after it; and of B alike. */
    int ax = 4 * (thread % A_FOURS), ay = thread / A_FOURS, bx = thread % B_FOURS, by = thread / B_FOURS;
    const float *from_b = b + by * n + first_column + 4 * bx;

    /* It computes four rows from my_row on and four that lie WM / 2 lower, and columns alike. */
    int warp = thread / WARP, lane = thread % WARP;
    int lane_x = lane / (PAIR * LANES_M) * PAIR + lane % PAIR, lane_y = lane / PAIR % LANES_M;
    int my_column = warp % WARPS_N * WN + 4 * lane_x, my_row = warp / WARPS_N * WM + 4 * lane_y;
    float sums[TM][TN] = {};
    for (int64_t p0 = 0; p0 < k; p0 += BK) {
        float x[TM], y[TN];
        float4 fours_a[BM / A_STEP], fours_b[BK / B_STEP];
        int depth = (int)min(k - p0, (int64_t)BK);
#pragma unroll
        for (int i = 0; i < BM / A_STEP; i++)
            fours_a[i] = load_four<WIDE_A>(a + (first_row + ay + i * A_STEP) * k + p0 + ax,
                                           ay + i * A_STEP < rows ? depth - ax : 0);
#pragma unroll
        for (int i = 0; i < BK / B_STEP; i++)
            fours_b[i] =
                load_four<WIDE_N>(from_b + (p0 + i * B_STEP) * n, by + i * B_STEP < depth ? columns - 4 * bx : 0);
#pragma unroll
        for (int i = 0; i < BM / A_STEP; i++) {
            int row = ay + i * A_STEP;
            unpack(fours_a[i], x);
#pragma unroll
            for (int e = 0; e < 4; e++)
                (&As[ax + e][row / 4].x)[row % 4] = x[e];
        }
#pragma unroll
        for (int i = 0; i < BK / B_STEP; i++)
            Bs[by + i * B_STEP][bx] = fours_b[i];
        __syncthreads();
#pragma unroll
        for (int p = 0; p < BK; p++) {
            unpack(As[p][my_row / 4], &x[0]);
            unpack(As[p][(my_row + WM / 2) / 4], &x[4]);
            unpack(Bs[p][my_column / 4], &y[0]);
            unpack(Bs[p][(my_column + WN / 2) / 4], &y[4]);
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++)
                    sums[i][j] = fmaf(x[i], y[j], sums[i][j]);
        }
        __syncthreads();
    }
    store_sums<WIDE_N>(sums, n, rows, columns, my_row, my_column, first_row, first_column, c);
}

const char *matmul_cuda_warp_tile(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    int64_t tiles_n = ceil_div(p->n, BN);
    int64_t tiles = ceil_div(p->m, BM) * tiles_n;
    bool wide_a = p->k % 4 == 0 && is_aligned(p->a, 16);
    bool wide_n = p->n % 4 == 0 && is_aligned(p->b, 16) && is_aligned(p->c, 16);
    auto if_wide_a = wide_n ? matmul_warp_tile_kernel<true, true> : matmul_warp_tile_kernel<true, false>;
    auto if_not = wide_n ? matmul_warp_tile_kernel<false, true> : matmul_warp_tile_kernel<false, false>;
    auto kernel = wide_a ? if_wide_a : if_not;
    return TRY_LAUNCH(__func__, kernel, tiles, THREADS, 0, stream, p->m, p->n, p->k, (unsigned)tiles_n, p->a, p->b,
                      p->c);
}
