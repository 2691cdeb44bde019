/* matmul cuda_skinny: for a tall A and a narrow B. A lane computes whole rows of C, for a part of k.
 *
 *      A: 16 bytes per lane, along k                   B: in shared memory,
 *                                                      for all warps of the block
 *      lane  0 |  2 |  4 | ... | 30   rows 0, 2, 4, 6        columns
 *      lane  1 |  3 |  5 | ... | 31   rows 1, 3, 5, 7       +---------+
 *                                                         k | a part  |
 *                                                           +---------+
 *
 * Technique: a C of ten columns leaves two thirds of a square tile empty. Here a lane holds all columns of C for ROWS
 * rows in registers. It loads each element of A once, straight into a register, and uses it BN times; it uses each
 * element of B, from shared memory, ROWS times. Sixteen lanes share k: side by side they load 256 bytes of a row, 16
 * bytes each. At the end the sixteen add up their sums (__shfl_xor_sync): a lane gives away half of its rows and
 * receives its partner's sums for the half that it keeps, until it has one row. B is copied asynchronously, as much of
 * k at a time as fits into shared memory. A B wider than 16 columns gets one block per 16 columns.
 *
 * For a narrow C there are two blocks per multiprocessor, which take one tile of rows after another. Where that leaves
 * warps without rows, or the last tiles to a few of them, several warps share a tile, and k: shares_of() chooses how
 * many.
 *
 * What it fixes in cuda_tiled: no lane is idle. There is a barrier per part of B instead of one per 32 steps of k. 14
 * loads of 16 bytes serve 160 multiply-adds; in cuda_tiled each multiply-add takes at least one load.
 *
 * What bounds it: waiting for memory. A warp loads, waits, multiplies, and loads again. A multiprocessor has registers
 * for 16 such warps, too few to fill each other's waits. The loads must run without the warps that multiply:
 * cuda_skinny_tensor.
 *
 * Measured: matmul/50000x784x10/cuda_skinny/cold 53.97 us (results/h200/narrow.csv) */
#include "bench/table/matmul.h"
#include "kernels/four.h"
#include "kernels/launch.h"

constexpr int WARP = 32, WARPS = 8, THREADS = WARPS * WARP, BLOCKS = 2; /* of a multiprocessor */
constexpr int K_LANES = 16, ROW_LANES = WARP / K_LANES, ROWS = 4, TILE = ROWS * ROW_LANES;
constexpr int STEP = 4 * K_LANES; /* along k: one float4 per lane */
constexpr int WIDEST = 16;
static_assert(K_LANES * ROW_LANES == WARP && (K_LANES & (K_LANES - 1)) == 0, "lanes are halved");
static_assert((WARPS & (WARPS - 1)) == 0, "warps are shared out by halves");
constexpr int RESERVED_BYTES = 1024; /* of each block's shared memory, by the system */

/* Copies `depth` rows of B. Rows up to the next multiple of STEP, and columns that B does not have, become zeros. */
template <int BN, bool WIDE>
static __device__ void fetch_b(float4 *Bs, int64_t n, int depth, int columns, const float *b)
{
    int steps = (depth + STEP - 1) / STEP;
    if (WIDE && n == BN) { /* no gaps between rows, neither in B nor in Bs */
        for (int i = (int)threadIdx.x; i < steps * K_LANES * BN; i += THREADS)
            copy_async_or_zero(&Bs[i], (const float4 *)b + i, i < depth / 4 * BN);
    } else {
        float *flat = (float *)Bs;
        for (int i = (int)threadIdx.x; i < steps * STEP * BN; i += THREADS) {
            int p = i / BN, column = i % BN;
            copy_async_or_zero(&flat[i], &b[p * n + column], p < depth && column < columns);
        }
    }
    copy_async_commit();
}

/* sums += v Bs: ROWS rows of four neighbours along k, times four rows of B, which are BN float4s at Bs. */
template <int BN>
static __device__ void multiply(const float4 (&v)[ROWS], const float4 *Bs, float (&sums)[ROWS][BN])
{
#pragma unroll
    for (int q = 0; q < BN; q++) {
        float4 four = Bs[q];
        float w[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int e = 0; e < 4; e++) {
            int p = (4 * q + e) / BN, column = (4 * q + e) % BN;
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                float x = p == 0 ? v[r].x : p == 1 ? v[r].y : p == 2 ? v[r].z : v[r].w;
                sums[r][column] = fmaf(x, w[e], sums[r][column]);
            }
        }
    }
}

/* Adds up the sums of the K_LANES lanes that share k. Lane k_lane then has row k_lane % ROWS in sums[0]. */
template <int BN>
static __device__ void add_up(int k_lane, float (&sums)[ROWS][BN])
{
#pragma unroll
    for (int half = ROWS / 2; half >= 1; half /= 2) {
        bool upper = (k_lane & half) != 0;
#pragma unroll
        for (int r = 0; r < half; r++)
#pragma unroll
            for (int j = 0; j < BN; j++) {
                float kept = upper ? sums[r + half][j] : sums[r][j], given = upper ? sums[r][j] : sums[r + half][j];
                sums[r][j] = kept + __shfl_xor_sync(0xFFFFFFFF, given, half * ROW_LANES);
            }
    }
#pragma unroll
    for (int bit = ROWS; bit < K_LANES; bit *= 2)
#pragma unroll
        for (int j = 0; j < BN; j++)
            sums[0][j] += __shfl_xor_sync(0xFFFFFFFF, sums[0][j], bit * ROW_LANES);
}

/* Adds up what the warps of a team have of their tile, and stores it. `share` is the lane's row, as add_up() says. */
template <int BN, typename Shares>
static __device__ __forceinline__ void add_shares(Shares partial, int shares, int64_t m, int64_t n, int64_t tile0,
                                                  int64_t first_column, int columns, const float (&share)[BN], float *c)
{
    int lane = (int)threadIdx.x % WARP, warp = (int)threadIdx.x / WARP, teams = WARPS / shares;
    int k_lane = lane / ROW_LANES, row_of_tile = lane % ROW_LANES + k_lane % ROWS * ROW_LANES;
    __syncthreads(); /* the last tile's have been added */
    if (k_lane < ROWS)
#pragma unroll
        for (int j = 0; j < BN; j++)
            partial[warp][row_of_tile][j] = share[j];
    __syncthreads();
    for (int i = (int)threadIdx.x; i < teams * TILE * BN; i += THREADS) {
        int of_team = i / (TILE * BN), r = i / BN % TILE, j = i % BN;
        int64_t row = (tile0 + of_team) * TILE + r;
        float sum = 0;
        for (int w = 0; w < shares; w++)
            sum += partial[of_team * shares + w][r][j];
        if (row < m && j < columns)
            c[row * n + first_column + j] = sum;
    }
}

/* a is m x k, b is k x n, c is m x n, all row-major. C has `panels` panels of BN columns. `shares` warps share a tile.
 */
template <int BN, bool WIDE>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    matmul_skinny_kernel(int64_t m, int64_t n, int64_t k, unsigned panels, int shares, int room, const float *a,
                         const float *b, float *c)
{
    DYNAMIC_SHARED(float4, Bs);
    __shared__ float partial[WARPS][TILE][BN];
    int lane = (int)threadIdx.x % WARP, row_lane = lane % ROW_LANES, k_lane = lane / ROW_LANES;
    int warp = (int)threadIdx.x / WARP, share = warp % shares, team = warp / shares, teams = WARPS / shares;
    int64_t first_column = (int64_t)(blockIdx.x % panels) * BN, tiles = (m + TILE - 1) / TILE;
    int64_t first_tile = (int64_t)(blockIdx.x / panels) * teams, stride = (int64_t)(gridDim.x / panels) * teams;
    int columns = (int)min(n - first_column, (int64_t)BN);
    for (int64_t tile0 = first_tile; tile0 < tiles; tile0 += stride) {
        int64_t first = (tile0 + team) * TILE + row_lane;
        bool has_rows = first - row_lane < m;
        float sums[ROWS][BN] = {};
        const float *rows[ROWS]; /* rows outside C repeat the last one */
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            rows[r] = a + min(first + r * ROW_LANES, m - 1) * k + 4 * k_lane;
        for (int64_t k0 = 0; k0 < k; k0 += room) {
            int depth = (int)min(k - k0, (int64_t)room);
            if (tile0 == first_tile || k > room) { /* else all of B is there since the first tile */
                __syncthreads();
                fetch_b<BN, WIDE>(Bs, n, depth, columns, b + k0 * n + first_column);
                copy_async_wait(0);
                __syncthreads();
            }
#pragma unroll 1 /* there are no registers for two steps */
            for (int p = share * STEP; has_rows && p < depth; p += shares * STEP) {
                float4 v[ROWS];
#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    v[r] = load_four<WIDE>(rows[r] + k0 + p, depth - p - 4 * k_lane);
                multiply<BN>(v, Bs + (p / 4 + k_lane) * BN, sums);
            }
        }
        add_up(k_lane, sums);
        int row_of_tile = row_lane + k_lane % ROWS * ROW_LANES;
        if (shares == 1) {
            int64_t row = first - row_lane + row_of_tile;
            if (k_lane < ROWS && row < m)
#pragma unroll
                for (int j = 0; j < BN; j++)
                    if (j < columns)
                        c[row * n + first_column + j] = sums[0][j];
            continue;
        }
        add_shares<BN>(partial, shares, m, n, tile0, first_column, columns, sums[0], c);
    }
}

/* How many warps share a tile. A team of them has `rounds` tiles and takes `steps` steps for each; adding up takes as
 * long as one and a half. */
static int shares_of(int64_t tiles, int64_t k, int64_t blocks)
{
    int best = 1;
    int64_t least = INT64_MAX;
    for (int shares = 1; shares <= WARPS; shares *= 2) {
        int64_t rounds = ceil_div(tiles, blocks * (WARPS / shares)), steps = ceil_div(ceil_div(k, STEP), shares);
        int64_t halves = rounds * (2 * steps + 3);
        if (halves < least)
            least = halves, best = shares;
    }
    return best;
}

template <int BN>
static const char *launch(const char *rung, const struct matmul_problem *p, cudaStream_t stream)
{
    int multiprocessors = gpu_attribute(cudaDevAttrMultiProcessorCount);
    int shared_bytes = gpu_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    int64_t panels = ceil_div(p->n, BN), tiles = ceil_div(p->m, TILE);
    int64_t blocks = ceil_div(BLOCKS * (int64_t)multiprocessors, panels);
    int shares = shares_of(tiles, p->k, blocks);
    blocks = panels * min(blocks, ceil_div(tiles, WARPS / shares));
    constexpr int PARTIAL_BYTES = WARPS * TILE * BN * (int)sizeof(float), STEP_BYTES = STEP * BN * (int)sizeof(float);
    int64_t steps = (shared_bytes / BLOCKS - RESERVED_BYTES - PARTIAL_BYTES) / STEP_BYTES;
    steps = min(steps, ceil_div(p->k, STEP));
    bool is_wide = p->k % 4 == 0 && is_aligned(p->a, 16) && is_aligned(p->b, 16);
    auto *kernel = is_wide ? matmul_skinny_kernel<BN, true> : matmul_skinny_kernel<BN, false>;
    (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)steps * STEP_BYTES);
    return TRY_LAUNCH(rung, kernel, blocks, THREADS, (size_t)(steps * STEP_BYTES), stream, p->m, p->n, p->k,
                      (unsigned)panels, shares, (int)steps * STEP, p->a, p->b, p->c);
}

/* Columns that C does not have are multiplied, too. So MNIST, with ten digits, has a width of its own. */
const char *matmul_cuda_skinny(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    return p->n <= 4    ? launch<4>(__func__, p, (cudaStream_t)stream)
           : p->n <= 10 ? launch<10>(__func__, p, (cudaStream_t)stream)
                        : launch<WIDEST>(__func__, p, (cudaStream_t)stream);
}
