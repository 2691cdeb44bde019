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
 * receives its partner's sums for the half that it keeps, until it has one row. Where rows are not aligned, a lane
 * loads every sixteenth element instead, and rows of B lie in that order. For a B wider than 16 columns cuda_fitted
 * runs, and the row says so.
 *
 * For a narrow C there are two blocks per multiprocessor, which take one tile of rows after another. Where that leaves
 * warps without rows, or the last tiles to a few of them, several warps share a tile, and k. Blocks share k, too, where
 * their part of B would not fit into shared memory, or rows are few; another launch adds up what they make.
 * plan_skinny() chooses.
 *
 * What it fixes in cuda_tiled: no lane is idle. There is one barrier for all of B instead of one per 32 steps of k. 14
 * loads of 16 bytes serve 160 multiply-adds; in cuda_tiled each multiply-add takes at least one load.
 *
 * What bounds it: waiting for memory, which would take 38 us for the row below, 159 MB at 4.2 TB/s; the multiply-adds
 * would take 12 us. A warp loads, waits, multiplies, and loads again. A multiprocessor has registers for 16 such warps,
 * too few to fill each other's waits. The loads must run without the warps that multiply: cuda_skinny_tensor.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   matmul/mnist/cuda_skinny/cold 54.30 us
 *   matmul/mnist/cublas/cold 72.66 us */
#include "add_parts.h"
#include "bench/table/matmul.h"
#include "bench/table/model.h"
#include "kernels/four.h"
#include "kernels/launch.h"
#include "takes.h"

constexpr int WARP = 32, WARPS = SKINNY_WARPS, THREADS = WARPS * WARP, BLOCKS = SKINNY_BLOCKS;
constexpr int K_LANES = 16, ROW_LANES = WARP / K_LANES, ROWS = 4, TILE = SKINNY_TILE;
constexpr int STEP = SKINNY_STEP; /* along k */
static_assert(K_LANES * ROW_LANES == WARP && (K_LANES & (K_LANES - 1)) == 0, "lanes are halved");
static_assert((WARPS & (WARPS - 1)) == 0, "warps are shared out by halves");
static_assert(ROWS * ROW_LANES == TILE && 4 * K_LANES == STEP, "a lane has four elements of each of its rows");

/* Copies `depth` rows of B. Rows up to the next multiple of STEP, and columns that B does not have, become zeros. */
template <int BN, bool WIDE>
static __device__ void fetch_b(float4 *Bs, int64_t n, int depth, const float *b)
{
    int steps = (depth + STEP - 1) / STEP;
    if (WIDE && n == BN) { /* no gaps between rows, neither in B nor in Bs */
        for (int i = (int)threadIdx.x; i < steps * K_LANES * BN; i += THREADS)
            copy_async_or_zero(&Bs[i], (const float4 *)b + i, i < depth / 4 * BN);
    } else {
        float *flat = (float *)Bs;
        for (int i = (int)threadIdx.x; i < steps * STEP * BN; i += THREADS) {
            int p = i / BN, column = i % BN, at = WIDE ? p : p / STEP * STEP + p % K_LANES * 4 + p % STEP / K_LANES;
            copy_async_or_zero(&flat[at * BN + column], &b[p * n + column], p < depth && column < n);
        }
    }
    copy_async_commit();
}

/* A lane's four elements of a row, whose step begins at `from` and of which `there` are in the matrix. */
template <bool WIDE>
static __device__ __forceinline__ float4 load_lane(const float *from, int k_lane, int there)
{
    if (WIDE)
        return load_four<true>(from + 4 * k_lane, there - 4 * k_lane);
    from += k_lane;
    there -= k_lane;
    return make_float4(there > 0 ? from[0] : 0.0f, there > K_LANES ? from[K_LANES] : 0.0f,
                       there > 2 * K_LANES ? from[2 * K_LANES] : 0.0f, there > 3 * K_LANES ? from[3 * K_LANES] : 0.0f);
}

/* sums += v Bs: four elements of ROWS rows, times four rows of B, which are BN float4s at Bs. */
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
                                                  const float (&share)[BN], float *c)
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
        if (row < m && j < n)
            c[row * n + j] = sum;
    }
}

/* a is m x k, b is k x n, c is m x n, all row-major. k has `parts` parts of `part` elements, each of which has a c of
 * its own. `shares` warps share a tile. */
template <int BN, bool WIDE>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    matmul_skinny_kernel(int64_t m, int64_t n, int64_t k, unsigned parts, int part, int shares, const float *a,
                         const float *b, float *c)
{
    DYNAMIC_SHARED(float4, Bs);
    __shared__ float partial[WARPS][TILE][BN];
    int lane = (int)threadIdx.x % WARP, row_lane = lane % ROW_LANES, k_lane = lane / ROW_LANES;
    int warp = (int)threadIdx.x / WARP, share = warp % shares, team = warp / shares, teams = WARPS / shares;
    unsigned block = blockIdx.x / parts, blocks = gridDim.x / parts;
    int64_t tiles = (m + TILE - 1) / TILE;
    int64_t of_parts = blockIdx.x % parts, begin = of_parts * part;
    int depth = (int)min(k - begin, (int64_t)part);
    fetch_b<BN, WIDE>(Bs, n, depth, b + begin * n);
    copy_async_wait(0);
    __syncthreads();
    c += of_parts * m * n;
    for (int64_t tile0 = (int64_t)block * teams; tile0 < tiles; tile0 += (int64_t)blocks * teams) {
        int64_t first = (tile0 + team) * TILE + row_lane;
        bool has_rows = first - row_lane < m;
        float sums[ROWS][BN] = {};
        const float *rows[ROWS]; /* rows outside C repeat the last one */
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            rows[r] = a + min(first + r * ROW_LANES, m - 1) * k + begin;
#pragma unroll 1 /* there are no registers for two steps */
        for (int p = share * STEP; has_rows && p < depth; p += shares * STEP) {
            float4 v[ROWS];
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                v[r] = load_lane<WIDE>(rows[r] + p, k_lane, depth - p);
            multiply<BN>(v, Bs + (p / 4 + k_lane) * BN, sums);
        }
        add_up(k_lane, sums);
        int row_of_tile = row_lane + k_lane % ROWS * ROW_LANES;
        if (shares == 1) {
            int64_t row = first - row_lane + row_of_tile;
            if (k_lane < ROWS && row < m)
#pragma unroll
                for (int j = 0; j < BN; j++)
                    if (j < n)
                        c[row * n + j] = sums[0][j];
            continue;
        }
        add_shares<BN>(partial, shares, m, n, tile0, sums[0], c);
    }
    allow_early_launch();
}

template <int BN>
static const char *launch(const char *rung, const struct matmul_problem *p, const struct skinny_plan *plan,
                          cudaStream_t stream)
{
    bool is_wide = p->k % 4 == 0 && is_aligned(p->a, 16) && is_aligned(p->b, 16);
    auto *kernel = is_wide ? matmul_skinny_kernel<BN, true> : matmul_skinny_kernel<BN, false>;
    const int part = (int)plan->steps * STEP, bytes = part * BN * (int)sizeof(float);
    const unsigned parts = (unsigned)plan->parts;
    float *c;
    TRY_CALL(parts_get(p->m * p->n, parts, p->c, &c));
    (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    TRY_CALL(TRY_LAUNCH(rung, kernel, plan->parts * plan->blocks, THREADS, (size_t)bytes, stream, p->m, p->n, p->k,
                        parts, part, plan->shares, p->a, p->b, c));
    return add_parts(rung, p->m * p->n, parts, c, p->c, stream);
}

/* Columns that C does not have are multiplied, too. So MNIST, with ten digits, has a width of its own. */
const char *matmul_cuda_skinny(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    if (!skinny_takes(p))
        return rung_hand_over(matmul_cuda_fitted, problem, stream);
    const struct model_shape shape = {p->m, p->k, p->n, gpu_attribute(cudaDevAttrMultiProcessorCount), false, false};
    const struct skinny_plan plan = plan_skinny(&shape, gpu_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    return plan.width == 1    ? launch<1>(__func__, p, &plan, (cudaStream_t)stream)
           : plan.width == 2  ? launch<2>(__func__, p, &plan, (cudaStream_t)stream)
           : plan.width == 4  ? launch<4>(__func__, p, &plan, (cudaStream_t)stream)
           : plan.width == 10 ? launch<10>(__func__, p, &plan, (cudaStream_t)stream)
                              : launch<16>(__func__, p, &plan, (cudaStream_t)stream);
}
