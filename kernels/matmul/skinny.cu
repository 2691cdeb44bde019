/* matmul cuda_skinny: for a tall A and a narrow B. A lane computes whole rows of C, for a part of k.
 *
 * Technique: a C of ten columns leaves two thirds of a square tile empty. Here a lane holds all columns of C for ROWS
 * rows in registers. It loads each element of A once, straight into a register, and uses it BN times; it uses each
 * element of B, from shared memory, ROWS times. Eight lanes share k: side by side they load 128 bytes of a row, 16
 * bytes each. At the end the eight add up their sums (__shfl_xor_sync). In each of three steps a lane gives away half
 * of its rows and receives its partner's sums for the half that it keeps, so each lane ends up with one row. B is
 * copied asynchronously, as much of k at a time as fits into shared memory. A B wider than 16 columns gets one block
 * per 16 columns.
 *
 * What it fixes in cuda_tiled: no lane is idle. There is a barrier per part of B instead of one per 32 steps of k. 18
 * loads of 16 bytes serve 320 multiply-adds; in cuda_tiled each multiply-add takes at least one load.
 *
 * What bounds it: waiting for memory. A warp loads, waits, multiplies, and loads again. A multiprocessor has registers
 * for 12 such warps, too few to fill each other's waits. The loads must run without the warps that multiply:
 * cuda_skinny_tensor.
 *
 * Measured: matmul/mnist/cuda_skinny/cold 55.01 us (results/h200/mnist.csv) */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "kernels/four.h"
#include "kernels/launch.h"

#include <math.h>

constexpr int WARP = 32, WARPS = 12, THREADS = WARPS * WARP;
constexpr int K_LANES = 8, ROW_LANES = WARP / K_LANES;
constexpr int STEP = 4 * K_LANES; /* along k: one float4 per lane */
constexpr int WIDEST = 16;
static_assert(THREADS <= 1024, "a block has at most 1024 threads");
static_assert(K_LANES * ROW_LANES == WARP && (K_LANES & (K_LANES - 1)) == 0, "lanes are halved");

/* For BN columns: how many rows a lane has registers for, and how much of k fits into shared memory, in float4s per
 * column. */
template <int BN, bool WIDE>
constexpr int ROWS_OF = (BN == 10 && WIDE) ? 8 : 4;
template <int BN>
constexpr int ROOM_OF = 48 * 1024 / (16 * BN) / K_LANES *K_LANES;

/* Copies `depth` rows of B. Rows up to the next multiple of STEP, and columns that B does not have, become zeros. */
template <int BN, bool WIDE, typename Panel>
static __device__ void fetch_b(Panel Bs, int64_t n, int depth, int columns, const float *b)
{
    int steps = (depth + STEP - 1) / STEP;
    if (WIDE && n == BN) { /* no gaps between rows, neither in B nor in Bs */
        for (int i = (int)threadIdx.x; i < steps * K_LANES * BN; i += THREADS)
            copy_async_or_zero(&Bs[i / BN][i % BN], (const float4 *)b + i, i < depth / 4 * BN);
    } else {
        float *flat = &Bs[0][0].x;
        for (int i = (int)threadIdx.x; i < steps * STEP * BN; i += THREADS) {
            int p = i / BN, column = i % BN;
            copy_async_or_zero(&flat[i], &b[p * n + column], p < depth && column < columns);
        }
    }
    copy_async_commit();
}

/* sums += v Bs: ROWS rows of four neighbours along k, times four rows of B, which are BN float4s. */
template <int BN, int ROWS, typename Panel>
static __device__ void multiply(const float4 (&v)[ROWS], Panel Bs, int quad, float (&sums)[ROWS][BN])
{
#pragma unroll
    for (int q = 0; q < BN; q++) {
        float4 four = Bs[quad][q];
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
template <int BN, int ROWS>
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

/* a is m x k, b is k x n, c is m x n, all row-major. C has `panels` panels of BN columns. */
template <int BN, bool WIDE>
static __global__ void __launch_bounds__(THREADS)
    matmul_skinny_kernel(int64_t m, int64_t n, int64_t k, unsigned panels, const float *a, const float *b, float *c)
{
    constexpr int ROWS = ROWS_OF<BN, WIDE>, ROOM = ROOM_OF<BN>;
    SHARED_ARRAY(float4, Bs, ROOM, BN);
    int lane = (int)threadIdx.x % WARP, row_lane = lane % ROW_LANES, k_lane = lane / ROW_LANES;
    int64_t warp = (int64_t)(blockIdx.x / panels) * WARPS + threadIdx.x / WARP;
    int64_t first = warp * (ROWS * ROW_LANES) + row_lane, first_column = (int64_t)(blockIdx.x % panels) * BN;
    int columns = (int)min(n - first_column, (int64_t)BN);
    float sums[ROWS][BN] = {};
    const float *rows[ROWS]; /* rows outside C repeat the last one */
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        rows[r] = a + min(first + r * ROW_LANES, m - 1) * k + 4 * k_lane;
    for (int64_t k0 = 0; k0 < k; k0 += 4 * ROOM) {
        int depth = (int)min(k - k0, (int64_t)(4 * ROOM));
        fetch_b<BN, WIDE>(Bs, n, depth, columns, b + k0 * n + first_column);
        copy_async_wait(0);
        __syncthreads();
        auto step = [&](int p, int left) {
            float4 v[ROWS];
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                v[r] = load_four<WIDE>(rows[r] + k0 + p, left);
            multiply<BN>(v, Bs, p / 4 + k_lane, sums);
        };
        int steps = depth / STEP;
#pragma unroll 1 /* there are no registers for two steps */
        for (int s = 0; s < steps; s++)
            step(s * STEP, 4);
        if (steps * STEP < depth)
            step(steps * STEP, depth - steps * STEP - 4 * k_lane);
        __syncthreads();
    }
    if (first - row_lane >= m)
        return; /* the whole warp: it has no row of C */
    add_up(k_lane, sums);
    int64_t row = first + k_lane % ROWS * ROW_LANES;
    if (k_lane < ROWS && row < m)
#pragma unroll
        for (int j = 0; j < BN; j++)
            if (j < columns)
                c[row * n + first_column + j] = sums[0][j];
}

template <int BN, bool WIDE>
static const char *launch(const char *rung, const struct matmul_problem *p, cudaStream_t stream)
{
    constexpr int BM = WARPS * ROWS_OF<BN, WIDE> * ROW_LANES;
    int64_t panels = ceil_div(p->n, BN), blocks = ceil_div(p->m, BM) * panels;
    const char *error = grid_x_error(rung, blocks);
    if (error)
        return error;
    LAUNCH((matmul_skinny_kernel<BN, WIDE>), (unsigned)blocks, THREADS, 0, stream, p->m, p->n, p->k, (unsigned)panels,
           p->a, p->b, p->c);
    return launch_error(rung);
}

template <int BN>
static const char *launch(const char *rung, const struct matmul_problem *p, cudaStream_t stream)
{
    bool is_wide = p->k % 4 == 0 && is_aligned(p->a, 16) && is_aligned(p->b, 16);
    return is_wide ? launch<BN, true>(rung, p, stream) : launch<BN, false>(rung, p, stream);
}

/* Columns that C does not have are multiplied, too. So MNIST, with ten digits, has a width of its own. */
const char *matmul_cuda_skinny(const void *problem, void *stream)
{
    const struct matmul_problem *p = (const struct matmul_problem *)problem;
    return p->n <= 4    ? launch<4>(__func__, p, (cudaStream_t)stream)
           : p->n <= 10 ? launch<10>(__func__, p, (cudaStream_t)stream)
                        : launch<WIDEST>(__func__, p, (cudaStream_t)stream);
}
