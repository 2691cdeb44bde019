/* A block's tile of C = A B on tensor cores, made from a ring of stages in shared memory that asynchronous copies fill:
 * what the rungs tf32, tf32x3 and fp16x3 share. They differ in their arithmetic: what they make of FP32 factors.
 *
 *          p0       p0 + 16                 A stage holds 64 x 16 of A and 16 x 128 of B, as they lie in memory. While
 *       +---+---+---+---+---+               the block multiplies one stage, the copies of the next two are on their
 * way. |As |   |   |   |   | 64
 *       +---+---+---+---+---+               Each of 2 x 2 warps has 32 x 64 elements of C, in fragments of 16 x 8, the
 *           +-------+-------+               result of one instruction. A lane has four sums of each fragment, and reads
 *        16 |  Bs   |       |               factors as pairs along k. Which k a lane takes is free, as long as A and B
 *           +-------+-------+               agree.
 *              128
 *
 * An arithmetic is a type with
 *   left, right      a fragment of A, and of B, as instructions take it; made of FP32 by make_left() and make_right()
 *   multiply(d, a, b)       d += a b
 *   takes(x)         whether the warp's factors of this stage are such that multiply() keeps the rung's promise. All
 *                    lanes of the warp call it together, and it answers the same to all.
 * Stages that it does not take are multiplied by FP32 multiply-adds: slower, and exactly as the rungs before do it. */
#pragma once

#include "kernels/launch.h"
#include "kernels/mma.h"

constexpr int WARP = 32, WARPS_M = 2, WARPS_N = 2, THREADS = WARPS_M * WARPS_N * WARP;
constexpr int FRAGMENT_M = 16, FRAGMENT_N = 8, FRAGMENTS_M = 2, FRAGMENTS_N = 8; /* per warp */
constexpr int WM = FRAGMENTS_M * FRAGMENT_M, WN = FRAGMENTS_N * FRAGMENT_N, BM = WARPS_M * WM, BN = WARPS_N * WN;
constexpr int BK = 16, STAGES = 3;
/* Rows are padded so that the lanes that read at once hit different banks: 32 floats of B, 16 pairs of A. */
constexpr int A_ROW = BK + 8, B_ROW = BN + 4, A_FLOATS = BM * A_ROW, STAGE = A_FLOATS + BK * B_ROW;
constexpr size_t RING_BYTES = (size_t)STAGES * STAGE * sizeof(float);
static_assert(RING_BYTES <= 48 * 1024, "more shared memory has to be asked for");
static_assert(A_ROW % 4 == 0 && B_ROW % 4 == 0 && STAGE % 4 == 0, "copies are of 16 bytes");

/* A lane's factors of a stage. With r = lane / 4 and c = lane % 4, a[i][h] is from row r + 8 h of fragment i of A, b[j]
 * from column r of fragment j of B, each at p = 2 c, 2 c + 1, 2 c + 8, 2 c + 9. */
struct factors {
    float a[FRAGMENTS_M][2][4], b[FRAGMENTS_N][4];
};

/* A lane's sums, by fragment, as mma.h says. */
using sums_of_lane = float[FRAGMENTS_M][FRAGMENTS_N][4];

/* The least and the largest size of factors that are not zero, as bits of floats. */
struct range {
    uint32_t most, below_least; /* the least, less one: then zeros come last */
};

static __device__ __forceinline__ void widen(range &range, float x)
{
    uint32_t size = __float_as_uint(x) & 0x7FFFFFFF;
    range.most = max(range.most, size);
    range.below_least = min(range.below_least, size - 1);
}

/* Of all lanes of the warp. */
static __device__ __forceinline__ range range_of_a(const factors &x)
{
    range found = {0, UINT32_MAX};
#pragma unroll
    for (int i = 0; i < FRAGMENTS_M; i++)
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
            for (int e = 0; e < 4; e++)
                widen(found, x.a[i][h][e]);
    return {warp_max(found.most), warp_min(found.below_least)};
}

static __device__ __forceinline__ range range_of_b(const factors &x)
{
    range found = {0, UINT32_MAX};
#pragma unroll
    for (int j = 0; j < FRAGMENTS_N; j++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            widen(found, x.b[j][e]);
    return {warp_max(found.most), warp_min(found.below_least)};
}

/* Starts the copies of ROWS x COLUMNS floats, whose rows lie `row_floats` apart, to rows that lie TO_ROW apart. Of the
 * first, `rows` and `columns` are there; zeros take the place of the others. WIDE: the rows that are there begin at
 * multiples of 16 bytes, and `columns` is a multiple of 4. */
template <int ROWS, int COLUMNS, int TO_ROW, bool WIDE>
static __device__ __forceinline__ void fetch(float *to, const float *from, int64_t row_floats, int64_t rows,
                                             int64_t columns)
{
    constexpr int WIDTH = WIDE ? 4 : 1, LINE = COLUMNS / WIDTH, STEP = THREADS / LINE;
    static_assert(THREADS % LINE == 0 && ROWS % STEP == 0, "threads share the copies");
    int first = (int)threadIdx.x / LINE, column = (int)threadIdx.x % LINE * WIDTH;
#pragma unroll
    for (int i = 0; i < ROWS; i += STEP) {
        int row = first + i;
        bool valid = row < rows && column < columns;
        float *here = to + row * TO_ROW + column;
        const float *there = from + row * row_floats + column;
        if (WIDE)
            copy_async_or_zero((float4 *)here, (const float4 *)there, valid);
        else
            copy_async_or_zero(here, there, valid);
    }
}

/* As points to the lane's first factor in its warp's part of the stage, and so does Bs. */
static __device__ __forceinline__ void read_factors(const float *As, const float *Bs, factors &x)
{
#pragma unroll
    for (int i = 0; i < FRAGMENTS_M; i++)
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
            for (int pair = 0; pair < 2; pair++) {
                float2 two = *(const float2 *)(As + (i * FRAGMENT_M + h * 8) * A_ROW + pair * 8);
                x.a[i][h][2 * pair] = two.x;
                x.a[i][h][2 * pair + 1] = two.y;
            }
#pragma unroll
    for (int j = 0; j < FRAGMENTS_N; j++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            x.b[j][e] = Bs[(e / 2 * 8 + e % 2) * B_ROW + j * FRAGMENT_N];
}

/* sums += As Bs by FP32 multiply-adds. As points to the lane's first row, Bs to its first column. */
static __device__ __forceinline__ void multiply_in_fp32(const float *As, const float *Bs, sums_of_lane &sums)
{
#pragma unroll 1
    for (int p = 0; p < BK; p++)
#pragma unroll
        for (int i = 0; i < FRAGMENTS_M; i++)
#pragma unroll
            for (int j = 0; j < FRAGMENTS_N; j++)
#pragma unroll
                for (int e = 0; e < 4; e++)
                    sums[i][j][e] = fmaf(As[(i * FRAGMENT_M + e / 2 * 8) * A_ROW + p],
                                         Bs[p * B_ROW + j * FRAGMENT_N + e % 2], sums[i][j][e]);
}

/* sums += As Bs, where As and Bs are the warp's parts of a stage. WHOLE: C has all of the warp's rows and columns; else
 * only so many, and fragments without any are left out. */
template <typename Arithmetic, bool WHOLE>
static __device__ __forceinline__ void multiply_stage(const float *As, const float *Bs, int64_t rows, int64_t columns,
                                                      sums_of_lane &sums)
{
    int lane = (int)threadIdx.x % WARP, r = lane / 4, c = lane % 4;
    factors x;
    read_factors(As + r * A_ROW + 2 * c, Bs + 2 * c * B_ROW + r, x);
    Arithmetic arithmetic;
    if (!arithmetic.takes(x)) {
        multiply_in_fp32(As + r * A_ROW, Bs + 2 * c, sums);
        return;
    }
    typename Arithmetic::left left[FRAGMENTS_M];
#pragma unroll
    for (int i = 0; i < FRAGMENTS_M; i++)
        left[i] = arithmetic.make_left(x.a[i]);
#pragma unroll
    for (int j = 0; j < FRAGMENTS_N; j++) {
        if (!WHOLE && j * FRAGMENT_N >= columns)
            break;
        typename Arithmetic::right right = arithmetic.make_right(x.b[j]);
#pragma unroll
        for (int i = 0; i < FRAGMENTS_M; i++)
            if (WHOLE || i * FRAGMENT_M < rows)
                arithmetic.multiply(sums[i][j], left[i], right);
    }
}

/* Stores the lane's sums, the first of which is C[row, column]. WIDE: two neighbours at once. */
template <bool WIDE>
static __device__ __forceinline__ void store_sums(const sums_of_lane &sums, int64_t m, int64_t n, int64_t row,
                                                  int64_t column, float *c)
{
#pragma unroll
    for (int i = 0; i < FRAGMENTS_M; i++)
#pragma unroll
        for (int j = 0; j < FRAGMENTS_N; j++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                int64_t to_row = row + i * FRAGMENT_M + h * 8, to_column = column + j * FRAGMENT_N;
                if (to_row >= m || to_column >= n)
                    continue;
                float2 two = make_float2(sums[i][j][2 * h], sums[i][j][2 * h + 1]);
                float *to = c + to_row * n + to_column;
                if (WIDE) {
                    __stcs((float2 *)to, two);
                    continue;
                }
                to[0] = two.x;
                if (to_column + 1 < n)
                    to[1] = two.y;
            }
}

/* The block's tile: a is m x k, b is k x n, c is m x n, all row-major. c is tiles_n tiles wide. WIDE: k and n are
 * multiples of 4, and a, b and c are aligned to 16 bytes. */
template <typename Arithmetic, bool WIDE>
static __device__ __forceinline__ void multiply_tile(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a,
                                                     const float *b, float *c)
{
    DYNAMIC_SHARED(float, ring);
    int64_t tile_m = blockIdx.x / tiles_n, tile_n = blockIdx.x % tiles_n;
    int64_t row = tile_m * BM, column = tile_n * BN;
    int64_t rows = m - row, columns = n - column; /* that are there from here on */
    const float *from_a = a + row * k, *from_b = b + column;
    int64_t left = k; /* of which no copy was started */
    auto fetch_stage = [&](int slot) {
        float *stage = ring + slot * STAGE;
        if (left > 0) {
            fetch<BM, BK, A_ROW, WIDE>(stage, from_a, k, rows, left);
            fetch<BK, BN, B_ROW, WIDE>(stage + A_FLOATS, from_b, n, left, columns);
        }
        copy_async_commit();
        from_a += BK;
        from_b += BK * n;
        left -= BK;
    };
    for (int slot = 0; slot < STAGES - 1; slot++)
        fetch_stage(slot);

    int warp = (int)threadIdx.x / WARP, lane = (int)threadIdx.x % WARP;
    int warp_row = warp / WARPS_N * WM, warp_column = warp % WARPS_N * WN;
    int64_t warp_rows = rows - warp_row, warp_columns = columns - warp_column;
    sums_of_lane sums = {};
    int slot = 0, free_slot = STAGES - 1;
    for (int64_t p = 0; p < k; p += BK) {
        copy_async_wait(STAGES - 2);
        __syncthreads(); /* this stage is there for all, and all have read the one before */
        fetch_stage(free_slot);
        const float *stage = ring + slot * STAGE;
        const float *As = stage + warp_row * A_ROW, *Bs = stage + A_FLOATS + warp_column;
        if (warp_rows >= WM && warp_columns >= WN)
            multiply_stage<Arithmetic, true>(As, Bs, WM, WN, sums);
        else if (warp_rows > 0 && warp_columns > 0)
            multiply_stage<Arithmetic, false>(As, Bs, warp_rows, warp_columns, sums);
        free_slot = slot;
        slot = slot + 1 == STAGES ? 0 : slot + 1;
    }
    store_sums<WIDE>(sums, m, n, row + warp_row + lane / 4, column + warp_column + lane % 4 * 2, c);
}

/* Launches the kernel of a rung, which is multiply_tile() with WIDE true or false. */
template <typename Kernel>
static const char *launch_tiles(const char *rung, Kernel *wide_kernel, Kernel *any_kernel,
                                const struct matmul_problem *p, void *stream)
{
    int64_t tiles_n = ceil_div(p->n, BN), tiles = ceil_div(p->m, BM) * tiles_n;
    const char *error = grid_x_error(rung, tiles);
    if (error)
        return error;
    bool wide = p->k % 4 == 0 && p->n % 4 == 0 && is_aligned(p->a, 16) && is_aligned(p->b, 16) && is_aligned(p->c, 16);
    Kernel *kernel = wide ? wide_kernel : any_kernel;
    LAUNCH(kernel, (unsigned)tiles, THREADS, RING_BYTES, (cudaStream_t)stream, p->m, p->n, p->k, (unsigned)tiles_n,
           p->a, p->b, p->c);
    return launch_error(rung);
}
