/* matmul cuda_warp_tile: a tile of C per warp, whose lanes share what they read.
 *
 * Technique: loads, tiles and arithmetic are those of cuda_vector. What changes is which thread has which elements of
 * C. The 128 x 128 tile of the block is divided among its eight warps, 64 x 32 each. The part of a warp is divided
 * among 8 x 4 lanes; each has 8 x 8 elements, in four pieces of 4 x 4.
 *
 *     a block's tile: 2 x 4 warps              a warp's part: 8 x 4 lanes, four times
 *          32      32      32      32                16              16
 *      +-------+-------+-------+-------+     +---------------+---------------+
 *      | warp  | warp  | warp  | warp  |     |  0   1  16  17|  0   1  16  17|
 *   64 |   0   |   1   |   2   |   3   |     |  2   3  18  19|  2   3  18  19|
 *      |       |       |       |       |     |  4   5  20  21|  4   5  20  21|
 *      +-------+-------+-------+-------+  32 |  6   7  22  23|  6   7  22  23|   a number is a lane, and a piece of
 *      | warp  | warp  | warp  | warp  |     |  8   9  24  25|  8   9  24  25|   4 x 4 elements that it computes
 *   64 |   4   |   5   |   6   |   7   |     | 10  11  26  27| 10  11  26  27|
 *      |       |       |       |       |     | 12  13  28  29| 12  13  28  29|
 *      +-------+-------+-------+-------+     | 14  15  30  31| 14  15  30  31|
 *                                            +---------------+---------------+
 *                                         32 |      the same again, below    |
 *                                            +---------------+---------------+
 *
 * For each step along k a warp reads 64 elements of As and 32 of Bs, 384 bytes; in cuda_vector, where it has 16 x 128
 * elements of C, it reads 576. The lanes are numbered so that each lane has the same rows as the one whose number
 * differs in bit 0, and the same columns as the one whose number differs in bit 1. Where all lanes of a warp read in
 * such pairs, the load units return the registers of two lanes at once: two wavefronts for a load of 16 bytes per lane
 * instead of four (https://forums.developer.nvidia.com/t/unexpected-shared-memory-bank-conflict/77228).
 *
 * What it fixes in cuda_vector: there only the loads from As came in pairs, now those from Bs do, too. Eight wavefronts
 * serve 64 multiply-adds, half of what the load units can do in that time. Nothing else changes: 32 flop per byte from
 * device memory or the L2 cache, 4 multiply-adds per element from shared memory, 16 per load.
 *
 * What bounds it: waiting. Every eight steps along k all warps of a block wait until the next tiles have come from
 * memory, through registers, to shared memory, and twice at a barrier. Only the other block on the multiprocessor
 * computes then. cuda_async loads tiles long before they are needed.
 *
 * What shows it: ncu --metrics l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,smsp__inst_executed_pipe_fma.sum:
 * TO BE MEASURED
 *
 * Measured: matmul/square-4096/cuda_warp_tile/cold TO BE MEASURED (results/h200/sweep.csv) */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "four.h"
#include "kernels/launch.h"

#include <math.h>

constexpr int BM = 128, BN = 128, BK = 8; /* a block's tile of C, and its step along k */
constexpr int WM = 64, WN = 32;           /* a warp's part of the tile */
constexpr int TM = 8, TN = 8;             /* rows and columns of a lane, in pieces of 4 x 4 */
constexpr int WARP = 32, WARPS_N = BN / WN, THREADS = BM / WM * WARPS_N * WARP;
constexpr int PAIR = 2, LANES_M = WM / TM, LANES_N = WN / TN;
constexpr int A_FOURS = BK / 4, B_FOURS = BN / 4; /* float4s in the rows of the tiles of A and B */
constexpr int AS_ROW = BM + 4;                    /* elements in a row of As */
static_assert(BM % WM == 0 && BN % WN == 0, "a tile is whole parts of warps");
static_assert(TM == 8 && TN == 8, "a lane has four pieces of 4 x 4 elements");
static_assert(LANES_M * LANES_N == WARP && LANES_N % PAIR == 0, "a warp's part is whole pairs of lanes");
static_assert(BM * A_FOURS == THREADS && BK * B_FOURS == THREADS, "each thread loads one float4 of A and one of B");
static_assert(THREADS <= 1024, "a block has at most 1024 threads");
static_assert(A_FOURS == 2 && 4 * AS_ROW % 32 == 16, "the stores to As have no bank conflicts");
static_assert((BK * AS_ROW + BK * BN) * sizeof(float) <= 48 * 1024, "static shared memory is at most 48 KiB");

/* a is m x k, b is k x n, c is m x n, all row-major. c is tiles_n tiles wide. WIDE_A: rows of a are aligned to 16
 * bytes. WIDE_N: rows of b and c are. */
template <bool WIDE_A, bool WIDE_N>
static __global__ void __launch_bounds__(THREADS, 2)
    matmul_warp_tile_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b, float *c)
{
    SHARED_ARRAY(float4, As, BK, AS_ROW / 4);
    SHARED_ARRAY(float4, Bs, BK, BN / 4);
    int64_t first_row = (int64_t)(blockIdx.x / tiles_n) * BM, first_column = (int64_t)(blockIdx.x % tiles_n) * BN;
    int rows = (int)min(m - first_row, (int64_t)BM), columns = (int)min(n - first_column, (int64_t)BN);
    int thread = (int)threadIdx.x;

    /* This thread loads four elements of row ay of A, and four of row by of B. */
    int ax = 4 * (thread % A_FOURS), ay = thread / A_FOURS, bx = thread % B_FOURS, by = thread / B_FOURS;
    const float *from_a = a + (first_row + ay) * k + ax, *from_b = b + by * n + first_column + 4 * bx;
    float *to_a = &As[ax][ay / 4].x + ay % 4;

    /* It computes four rows from my_row on and four that lie WM / 2 lower, and columns alike. */
    int warp = thread / WARP, lane = thread % WARP;
    int lane_x = lane / (PAIR * LANES_M) * PAIR + lane % PAIR, lane_y = lane / PAIR % LANES_M;
    int my_column = warp % WARPS_N * WN + 4 * lane_x, my_row = warp / WARPS_N * WM + 4 * lane_y;
    float sums[TM][TN] = {};
    for (int64_t p0 = 0; p0 < k; p0 += BK) {
        int depth = (int)min(k - p0, (int64_t)BK);
        float4 four_a = load_four<WIDE_A>(from_a + p0, ay < rows ? depth - ax : 0);
        float4 four_b = load_four<WIDE_N>(from_b + p0 * n, by < depth ? columns - 4 * bx : 0);
        float x[TM], y[TN];
        unpack(four_a, x);
#pragma unroll
        for (int e = 0; e < 4; e++)
            to_a[e * AS_ROW] = x[e];
        Bs[by][bx] = four_b;
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

template <bool WIDE_A, bool WIDE_N>
static const char *launch(const char *rung, const struct matmul_problem *p, cudaStream_t stream)
{
    int64_t tiles_n = ceil_div(p->n, BN);
    int64_t tiles = ceil_div(p->m, BM) * tiles_n;
    const char *error = grid_x_error(rung, tiles);
    if (error)
        return error;
    LAUNCH((matmul_warp_tile_kernel<WIDE_A, WIDE_N>), (unsigned)tiles, THREADS, 0, stream, p->m, p->n, p->k,
           (unsigned)tiles_n, p->a, p->b, p->c);
    return launch_error(rung);
}

const char *matmul_cuda_warp_tile(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    bool wide_a = p->k % 4 == 0 && is_aligned(p->a, 16);
    bool wide_n = p->n % 4 == 0 && is_aligned(p->b, 16) && is_aligned(p->c, 16);
    if (wide_a)
        return wide_n ? launch<true, true>(__func__, p, (cudaStream_t)stream)
                      : launch<true, false>(__func__, p, (cudaStream_t)stream);
    return wide_n ? launch<false, true>(__func__, p, (cudaStream_t)stream)
                  : launch<false, false>(__func__, p, (cudaStream_t)stream);
}
