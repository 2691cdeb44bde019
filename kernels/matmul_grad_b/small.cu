/* matmul_grad_b cuda_small: for a small batch. All rows of A and dC that a block needs are in shared memory at once.
 *
 *                dC   n                 A block has a tile of 32 x 32 of dB: it needs 32 columns of A and 32 of dC, of
 *              +--+---+-+               up to 64 rows each. It starts all of these copies, waits once, and then only
 *            m |  |###| |               multiplies. A thread has 2 x 4 elements of the tile.
 *              +--+---+-+
 *     A^T  m   +--+---+-+
 *    +--------+|  |   | |
 *  k |########||  |###| |
 *    +--------++--+---+-+ dB
 *
 * Technique: with a batch of 64 images the arithmetic takes less than a microsecond, and what counts is how often a
 * block waits for memory: once. A batch of more than 64 rows takes a turn for each 64.
 *
 * What it fixes in cuda_naive: a wait for each row becomes one, and a thread reads 6 numbers for 8 multiply-adds, where
 * there it reads 2 for one. In cuda_split a block has all of k, so a small dB has too few of them.
 *
 * What bounds it: latency: of the launch, of one wait for memory, and of the stores. The large batch below is not what
 * it is for: its dB has 25 tiles, so 25 blocks take 782 turns each.
 *
 * Measured, results/h200-x1/network.csv:
 *   matmul_grad_b/mnist-grad/cuda_small/cold 1.494 ms
 *   matmul_grad_b/mnist-grad/cuda_small/cold ceiling_pct 2.50 % */
#include "bench/table/matmul_grad_b.h"
#include "kernels/launch.h"
#include "kernels/four.h"

constexpr int BK = 32, BN = 32, DEPTH = 64; /* a tile of dB; rows in shared memory */
constexpr int TK = 2, TN = 4;               /* elements of a thread */
constexpr int LANES_N = BN / TN, THREADS = BK / TK * LANES_N;

/* Copies `rows` rows of WIDTH columns of a matrix with `pitch` columns, of which `columns` are there. Zeros follow up
 * to DEPTH rows. */
template <bool WIDE, int WIDTH, typename Tile>
static __device__ __forceinline__ void fetch(Tile tile, const float *from, int64_t pitch, int rows, int columns)
{
    constexpr int UNIT = WIDE ? 4 : 1, UNITS = WIDTH / UNIT;
    float *flat = &tile[0][0].x;
    for (int i = (int)threadIdx.x; i < DEPTH * UNITS; i += THREADS) {
        int row = i / UNITS, column = i % UNITS * UNIT;
        bool there = row < rows && column < columns;
        if (WIDE)
            copy_async_or_zero((float4 *)&flat[row * WIDTH + column], (const float4 *)&from[row * pitch + column],
                               there);
        else
            copy_async_or_zero(&flat[row * WIDTH + column], &from[row * pitch + column], there);
    }
}

/* a is m x k, dc is m x n, db is k x n, all row-major. db is tiles_n tiles wide. WIDE_A, WIDE_C: rows of a, and rows of
 * dc and db, are aligned to 16 bytes. */
template <bool WIDE_A, bool WIDE_C>
static __global__ void __launch_bounds__(THREADS)
    matmul_grad_b_small_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *dc,
                               float *db)
{
    __shared__ float4 As[DEPTH][BK / 4];
    __shared__ float4 Cs[DEPTH][BN / 4];
    int tn = (int)threadIdx.x % LANES_N, tk = (int)threadIdx.x / LANES_N;
    int64_t row = (int64_t)(blockIdx.x / tiles_n) * BK, column = (int64_t)(blockIdx.x % tiles_n) * BN;
    int rows = (int)min(k - row, (int64_t)BK), columns = (int)min(n - column, (int64_t)BN);
    const float *from_a = &As[0][0].x + tk * TK;
    float sums[TK][TN] = {};
    for (int64_t begin = 0; begin < m; begin += DEPTH) {
        int depth = (int)min(m - begin, (int64_t)DEPTH);
        fetch<WIDE_A, BK>(As, a + begin * k + row, k, depth, rows);
        fetch<WIDE_C, BN>(Cs, dc + begin * n + column, n, depth, columns);
        copy_async_commit();
        copy_async_wait(0);
        __syncthreads();
#pragma unroll 16
        for (int p = 0; p < DEPTH; p++) {
            float2 two = *(const float2 *)&from_a[p * BK];
            float x[TK] = {two.x, two.y}, y[TN];
            unpack(Cs[p][tn], y);
#pragma unroll
            for (int i = 0; i < TK; i++)
#pragma unroll
                for (int j = 0; j < TN; j++)
                    sums[i][j] = fmaf(x[i], y[j], sums[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < TK; i++)
        if (tk * TK + i < rows)
            store_four<WIDE_C>(db + (row + tk * TK + i) * n + column + tn * TN, pack(sums[i]), columns - tn * TN);
}

const char *matmul_grad_b_cuda_small(const void *problem, void *stream)
{
    const struct matmul_grad_b_problem *p = (const struct matmul_grad_b_problem *)problem;
    int64_t tiles_n = ceil_div(p->n, BN), tiles = ceil_div(p->k, BK) * tiles_n;
    bool wide_a = p->k % 4 == 0 && is_aligned(p->a, 16);
    bool wide_c = p->n % 4 == 0 && is_aligned(p->dc, 16) && is_aligned(p->db, 16);
    auto kernel = wide_a
                      ? (wide_c ? matmul_grad_b_small_kernel<true, true> : matmul_grad_b_small_kernel<true, false>)
                      : (wide_c ? matmul_grad_b_small_kernel<false, true> : matmul_grad_b_small_kernel<false, false>);
    return TRY_LAUNCH(__func__, kernel, tiles, THREADS, 0, stream, p->m, p->n, p->k, (unsigned)tiles_n, p->a, p->dc,
                      p->db);
}
