/* A block's tile of C = A B on tensor cores, made from a ring of stages in shared memory that asynchronous copies fill:
 * what the rungs tf32, tf32x3 and fp16x3 share. They differ in their arithmetic: what they make of FP32 factors.
 *
 *          p0       p0 + 16                 A stage holds BM x 16 of A and 16 x BN of B, as they lie in memory. While
 *       +---+---+---+---+---+               the block multiplies one stage, the copies of the next are on their way.
 *       |As |   |   |   |   | BM
 *       +---+---+---+---+---+               A warp has a part of the tile, in fragments of 16 x 8, the result of one
 *           +-------+-------+               instruction. A lane has four sums of each fragment, and reads factors as
 *        16 |  Bs   |       |               pairs along k. Which k a lane takes is free, as long as A and B agree.
 *           +-------+-------+
 *              BN                           There are two tiles: 64 x 128, and 64 x 32 for a narrow C, where memory is
 *                                           the limit and many small blocks wait for it together.
 *
 * An arithmetic is a type with
 *   WIDE_BLOCKS, NARROW_BLOCKS    so many blocks a multiprocessor's registers are to hold at once, by tile
 *   left, right      a fragment of A, and of B, as instructions take it; made of FP32 by make_left() and make_right()
 *   multiply(d, a, b)       d += a b
 *   takes(x)         whether the warp's factors of this stage are such that multiply() keeps the rung's promise. All
 *                    lanes of the warp call it together, and it answers the same to all.
 * Stages that it does not take are multiplied by FP32 multiply-adds: slower, and exactly as the rungs before do it. */
#pragma once

#include "bench/table/matmul.h"
#include "factor_parts.h"
#include "kernels/launch.h"
#include "kernels/mma.h"

constexpr int WARP = 32, WARPS = 4, THREADS = WARPS * WARP;
constexpr int FRAGMENT_M = 16, FRAGMENT_N = 8, BK = 16;

template <int FRAGMENTS_M_, int FRAGMENTS_N_, int WARPS_M_, int STAGES_>
struct tensor_tile {
    static constexpr int FRAGMENTS_M = FRAGMENTS_M_, FRAGMENTS_N = FRAGMENTS_N_; /* per warp */
    static constexpr int WARPS_M = WARPS_M_, WARPS_N = WARPS / WARPS_M, STAGES = STAGES_;
    static constexpr int WM = FRAGMENTS_M * FRAGMENT_M, WN = FRAGMENTS_N * FRAGMENT_N;
    static constexpr int BM = WARPS_M * WM, BN = WARPS_N * WN;
    /* Rows are padded so that the lanes that read at once hit different banks: 32 floats of B, 16 pairs of A. */
    static constexpr int A_ROW = BK + 8, B_ROW = BN + 4, A_FLOATS = BM * A_ROW, STAGE = A_FLOATS + BK * B_ROW;
    static constexpr size_t RING_BYTES = (size_t)STAGES * STAGE * sizeof(float);
    static constexpr bool IS_NARROW = BN == 32;
    static_assert(RING_BYTES <= 48 * 1024, "more shared memory has to be asked for");
    static_assert(A_ROW % 4 == 0 && B_ROW % 4 == 0 && STAGE % 4 == 0, "copies are of 16 bytes");
};

using wide_tile = tensor_tile<2, 8, 2, 3>;
using narrow_tile = tensor_tile<1, 4, 4, 4>;

/* A lane's factors of a stage. With r = lane / 4 and c = lane % 4, a[i][h] is from row r + 8 h of fragment i of A, b[j]
 * from column r of fragment j of B, each at p = 2 c, 2 c + 1, 2 c + 8, 2 c + 9. */
template <typename Tile>
struct factors {
    float a[Tile::FRAGMENTS_M][2][4], b[Tile::FRAGMENTS_N][4];
};

/* A lane's sums, by fragment, as mma.h says. */
template <typename Tile>
using sums_of_lane = float[Tile::FRAGMENTS_M][Tile::FRAGMENTS_N][4];

/* Of all lanes of the warp. */
template <typename Tile>
static __device__ __forceinline__ range range_of_a(const factors<Tile> &x)
{
    range found = NO_FACTORS;
#pragma unroll
    for (int i = 0; i < Tile::FRAGMENTS_M; i++)
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
            for (int e = 0; e < 4; e++)
                widen(found, x.a[i][h][e]);
    return {warp_max(found.most), warp_min(found.below_least)};
}

template <typename Tile>
static __device__ __forceinline__ range range_of_b(const factors<Tile> &x)
{
    range found = NO_FACTORS;
#pragma unroll
    for (int j = 0; j < Tile::FRAGMENTS_N; j++)
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
template <typename Tile>
static __device__ __forceinline__ void read_factors(const float *As, const float *Bs, factors<Tile> &x)
{
#pragma unroll
    for (int i = 0; i < Tile::FRAGMENTS_M; i++)
#pragma unroll
        for (int h = 0; h < 2; h++)
#pragma unroll
            for (int pair = 0; pair < 2; pair++) {
                float2 two = *(const float2 *)(As + (i * FRAGMENT_M + h * 8) * Tile::A_ROW + pair * 8);
                x.a[i][h][2 * pair] = two.x;
                x.a[i][h][2 * pair + 1] = two.y;
            }
#pragma unroll
    for (int j = 0; j < Tile::FRAGMENTS_N; j++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            x.b[j][e] = Bs[(e / 2 * 8 + e % 2) * Tile::B_ROW + j * FRAGMENT_N];
}

/* sums += As Bs by FP32 multiply-adds. As points to the lane's first row, Bs to its first column. */
template <typename Tile>
static __device__ __forceinline__ void multiply_in_fp32(const float *As, const float *Bs, sums_of_lane<Tile> &sums)
{
#pragma unroll 1
    for (int p = 0; p < BK; p++)
#pragma unroll
        for (int i = 0; i < Tile::FRAGMENTS_M; i++)
#pragma unroll
            for (int j = 0; j < Tile::FRAGMENTS_N; j++)
#pragma unroll
                for (int e = 0; e < 4; e++)
                    sums[i][j][e] = fmaf(As[(i * FRAGMENT_M + e / 2 * 8) * Tile::A_ROW + p],
                                         Bs[p * Tile::B_ROW + j * FRAGMENT_N + e % 2], sums[i][j][e]);
}

/* sums += As Bs, where As and Bs are the warp's parts of a stage. WHOLE: C has all of the warp's rows and columns; else
 * only so many, and fragments without any are left out. */
template <typename Tile, typename Arithmetic, bool WHOLE>
static __device__ __forceinline__ void multiply_stage(const float *As, const float *Bs, int64_t rows, int64_t columns,
                                                      sums_of_lane<Tile> &sums)
{
    int lane = (int)threadIdx.x % WARP, r = lane / 4, c = lane % 4;
    factors<Tile> x;
    read_factors<Tile>(As + r * Tile::A_ROW + 2 * c, Bs + 2 * c * Tile::B_ROW + r, x);
    Arithmetic arithmetic;
    if (!arithmetic.takes(x)) {
        multiply_in_fp32<Tile>(As + r * Tile::A_ROW, Bs + 2 * c, sums);
        return;
    }
    typename Arithmetic::left left[Tile::FRAGMENTS_M];
#pragma unroll
    for (int i = 0; i < Tile::FRAGMENTS_M; i++)
        left[i] = arithmetic.make_left(x.a[i]);
#pragma unroll
    for (int j = 0; j < Tile::FRAGMENTS_N; j++) {
        if (!WHOLE && j * FRAGMENT_N >= columns)
            break;
        typename Arithmetic::right right = arithmetic.make_right(x.b[j]);
#pragma unroll
        for (int i = 0; i < Tile::FRAGMENTS_M; i++)
            if (WHOLE || i * FRAGMENT_M < rows)
                arithmetic.multiply(sums[i][j], left[i], right);
    }
}

/* Stores the lane's sums, the first of which is C[row, column]. WIDE: two neighbours at once. */
template <typename Tile, bool WIDE>
static __device__ __forceinline__ void store_sums(const sums_of_lane<Tile> &sums, int64_t m, int64_t n, int64_t row,
                                                  int64_t column, float *c)
{
#pragma unroll
    for (int i = 0; i < Tile::FRAGMENTS_M; i++)
#pragma unroll
        for (int j = 0; j < Tile::FRAGMENTS_N; j++)
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

/* a is m x k, b is k x n, c is m x n, all row-major. c is tiles_n tiles wide. WIDE_A: k is a multiple of 4, and a is
 * aligned to 16 bytes. WIDE_B: so is n, and so are b and c. */
template <typename Arithmetic, typename Tile, bool WIDE_A, bool WIDE_B>
static __global__ void __launch_bounds__(THREADS, Tile::IS_NARROW ? Arithmetic::NARROW_BLOCKS : Arithmetic::WIDE_BLOCKS)
    matmul_tensor_kernel(int64_t m, int64_t n, int64_t k, unsigned tiles_n, const float *a, const float *b, float *c)
{
    DYNAMIC_SHARED(float, ring);
    int64_t tile_m = blockIdx.x / tiles_n, tile_n = blockIdx.x % tiles_n;
    int64_t row = tile_m * Tile::BM, column = tile_n * Tile::BN;
    int64_t rows = m - row, columns = n - column; /* that are there from here on */
    const float *from_a = a + row * k, *from_b = b + column;
    int64_t left = k; /* of which no copy was started */
    auto fetch_stage = [&](int slot) {
        float *stage = ring + slot * Tile::STAGE;
        if (left > 0) {
            fetch<Tile::BM, BK, Tile::A_ROW, WIDE_A>(stage, from_a, k, rows, left);
            fetch<BK, Tile::BN, Tile::B_ROW, WIDE_B>(stage + Tile::A_FLOATS, from_b, n, left, columns);
        }
        copy_async_commit();
        from_a += BK;
        from_b += BK * n;
        left -= BK;
    };
    for (int slot = 0; slot < Tile::STAGES - 1; slot++)
        fetch_stage(slot);

    int warp = (int)threadIdx.x / WARP, lane = (int)threadIdx.x % WARP;
    int warp_row = warp / Tile::WARPS_N * Tile::WM, warp_column = warp % Tile::WARPS_N * Tile::WN;
    int64_t warp_rows = rows - warp_row, warp_columns = columns - warp_column;
    sums_of_lane<Tile> sums = {};
    int slot = 0, free_slot = Tile::STAGES - 1;
    for (int64_t p = 0; p < k; p += BK) {
        copy_async_wait(Tile::STAGES - 2);
        __syncthreads(); /* this stage is there for all, and all have read the one before */
        fetch_stage(free_slot);
        const float *stage = ring + slot * Tile::STAGE;
        const float *As = stage + warp_row * Tile::A_ROW, *Bs = stage + Tile::A_FLOATS + warp_column;
        if (warp_rows >= Tile::WM && warp_columns >= Tile::WN)
            multiply_stage<Tile, Arithmetic, true>(As, Bs, Tile::WM, Tile::WN, sums);
        else if (warp_rows > 0 && warp_columns > 0)
            multiply_stage<Tile, Arithmetic, false>(As, Bs, warp_rows, warp_columns, sums);
        free_slot = slot;
        slot = slot + 1 == Tile::STAGES ? 0 : slot + 1;
    }
    store_sums<Tile, WIDE_B>(sums, m, n, row + warp_row + lane / 4, column + warp_column + lane % 4 * 2, c);
}

/* Launches the kernel that suits the problem. */
template <typename Arithmetic>
static const char *launch_tiles(const char *rung, const struct matmul_problem *p, void *stream)
{
    bool narrow = p->n <= narrow_tile::BN, wide_a = p->k % 4 == 0 && is_aligned(p->a, 16);
    bool wide_b = p->n % 4 == 0 && is_aligned(p->b, 16) && is_aligned(p->c, 16);
    int64_t tiles_n = ceil_div(p->n, narrow ? narrow_tile::BN : wide_tile::BN);
    int64_t tiles = ceil_div(p->m, narrow ? narrow_tile::BM : wide_tile::BM) * tiles_n;
    auto of_narrow = wide_a ? matmul_tensor_kernel<Arithmetic, narrow_tile, true, false>
                            : matmul_tensor_kernel<Arithmetic, narrow_tile, false, false>;
    auto of_wide = wide_a && wide_b ? matmul_tensor_kernel<Arithmetic, wide_tile, true, true>
                                    : matmul_tensor_kernel<Arithmetic, wide_tile, false, false>;
    auto kernel = narrow ? of_narrow : of_wide;
    return TRY_LAUNCH(rung, kernel, tiles, THREADS, narrow ? narrow_tile::RING_BYTES : wide_tile::RING_BYTES, stream,
                      p->m, p->n, p->k, (unsigned)tiles_n, p->a, p->b, p->c);
}
