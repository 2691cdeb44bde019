/* A block's tile of a narrow C = A B on Hopper's tensor cores, for the rung skinny_wgmma: how its stages are laid out
 * and filled, how a warp splits its rows of A, and what it does with rows that cannot be split.
 *
 *        stage:  rows of warp 0 | rows of warp 1 | ...  | high, low of B | ...
 *                16 x 64 FP32                             64 x BN FP16 each, as pieces (wgmma_pieces.h) */
#pragma once

#include "fp16_pieces.h"
#include "kernels/device.h"

constexpr int GROUP = 4 * WARP, WARP_ROWS = 16, WIDEST = PIECE_ROWS;
constexpr int FACTOR = 16, FACTORS = 4, BK = FACTORS * FACTOR; /* an instruction's part of k, and a step's */
constexpr int A_ROW = BK + 8; /* floats: lanes that read pairs from four rows at once hit different banks */
static_assert(BK == layout_of<fp16_pieces>::BK, "a step is a piece long");

/* A block has GROUPS groups of four warps. Each has 64 rows of its own, or KS of them have the same rows and share k:
 * each takes every KS-th step, and the first adds up their sums. C has up to BN columns. */
template <int BN_, int GROUPS_, int KS_>
struct skinny_tile {
    static constexpr int BN = BN_, GROUPS = GROUPS_, KS = KS_, SUMS = BN / 2;
    static constexpr int WARPS = 4 * GROUPS, MULTIPLIERS = WARPS * WARP; /* threads */
    static constexpr int BM = GROUPS / KS * WGMMA_ROWS, TURN = KS * BK;
    /* A stage of the ring has 16 x 64 of A for each warp, then KS times the parts of 64 x BN of B. */
    static constexpr int A_BYTES = WARPS * WARP_ROWS * A_ROW * (int)sizeof(float);
    static constexpr int B_PART = BN * WGMMA_ROW_BYTES, STAGE_BYTES = A_BYTES + KS * 2 * B_PART;
    static constexpr int SHARE_BYTES = SUMS * GROUP * (int)sizeof(float), SHARES = GROUPS - GROUPS / KS;
    static constexpr int STAGES = (226 * 1024 - PIECE_ALIGNMENT - SHARES * SHARE_BYTES) / STAGE_BYTES;
    static constexpr int BYTES = STAGES * STAGE_BYTES + SHARES * SHARE_BYTES + PIECE_ALIGNMENT;
    static_assert(STAGES >= 2, "a stage is filled while another one is read");
    static_assert(A_BYTES % PIECE_ALIGNMENT == 0 && B_PART % PIECE_ALIGNMENT == 0, "parts of B are where wgmma takes");
};

/* Where a block is: a tile's first row, of the block's, and a turn's first index along k. */
struct position {
    int row, p;

    template <typename Tile>
    __device__ __forceinline__ void advance(int k)
    {
        p += Tile::TURN;
        if (p >= k)
            row += Tile::BM, p = 0;
    }
};

/* Starts the copies of a warp's step, which begins at first_row and first_p of the block's part of A, rows x k. WIDE: k
 * is a multiple of 4, and a is aligned to 16 bytes. */
template <bool WIDE>
static __device__ __forceinline__ void fetch_rows(float *to, int first_row, int first_p, int rows, int k,
                                                  const float *a)
{
    constexpr int WIDTH = WIDE ? 4 : 1, LINE = WIDE ? BK / WIDTH : WARP, LINES = WARP / LINE;
    int lane = (int)threadIdx.x % WARP, line = lane / LINE, first = lane % LINE * WIDTH;
    int row = first_row + line;
    const float *from = a + (int64_t)row * k + first_p;
    to += line * A_ROW;
#pragma unroll
    for (int i = 0; i < WARP_ROWS; i += LINES)
#pragma unroll
        for (int q = first; q < BK; q += LINE * WIDTH) {
            bool valid = row + i < rows && first_p + q < k;
            if (WIDE)
                copy_async_or_zero((float4 *)(to + i * A_ROW + q), (const float4 *)(from + (int64_t)i * k + q), valid);
            else
                copy_async_or_zero(to + i * A_ROW + q, from + (int64_t)i * k + q, valid);
        }
}

/* A lane's factors of a step in the layout of mma_fp16(), and the exponent that the warp's are scaled by, or NOT_HELD.
 */
struct split_rows {
    uint32_t high[FACTORS][4], low[FACTORS][4], exponent;
};

/* As points to the lane's first pair. */
static __device__ __forceinline__ void split(const float *As, split_rows &to)
{
    float2 x[FACTORS][4];
    range found = NO_FACTORS;
#pragma unroll
    for (int f = 0; f < FACTORS; f++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            x[f][i] = *(const float2 *)(As + i % 2 * 8 * A_ROW + f * FACTOR + i / 2 * 8);
            widen(found, x[f][i].x);
            widen(found, x[f][i].y);
        }
    found = {warp_max(found.most), warp_min(found.below_least)};
    float scale = fp16_scale(fp16_exponent(found));
#pragma unroll
    for (int f = 0; f < FACTORS; f++)
#pragma unroll
        for (int i = 0; i < 4; i++)
            fp16_split(x[f][i].x * scale, x[f][i].y * scale, to.high[f][i], to.low[f][i]);
    to.exponent = fp16_holds(found) ? fp16_exponent(found) : fp16_pieces::NOT_HELD;
}

/* Adds the products of a step to the sums by FP32 multiply-adds. As points to the warp's rows in the stage, b to the
 * step's first row of B, of which `depth` are there. A lane takes every 32nd column, so that it reads B as it lies;
 * what comes out reaches the lanes whose sums it is through the warp's part of the stage, which nobody reads again. */
template <int BN>
static __device__ __forceinline__ void multiply_in_fp32(float *As, const float *b, int depth, int n,
                                                        float (&sums)[BN / 2])
{
    constexpr int COLUMNS = BN / WARP;
    int lane = (int)threadIdx.x % WARP;
    float products[COLUMNS][WARP_ROWS] = {};
#pragma unroll 1
    for (int q = 0; q < BK; q += FACTOR) {
        float y[FACTOR][COLUMNS];
#pragma unroll
        for (int e = 0; e < FACTOR; e++)
#pragma unroll
            for (int i = 0; i < COLUMNS; i++)
                y[e][i] = q + e < depth && lane + i * WARP < n ? __ldg(b + (q + e) * n + lane + i * WARP) : 0.0f;
#pragma unroll
        for (int row = 0; row < WARP_ROWS; row++)
#pragma unroll
            for (int e = 0; e < FACTOR; e++)
#pragma unroll
                for (int i = 0; i < COLUMNS; i++)
                    products[i][row] = fmaf(As[row * A_ROW + q + e], y[e][i], products[i][row]);
    }
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
        __syncwarp();
#pragma unroll
        for (int row = 0; row < WARP_ROWS; row++)
            As[row * A_ROW + lane] = products[i][row];
        __syncwarp();
#pragma unroll
        for (int s = 0; s < WARP / 2; s++)
            sums[i * WARP / 2 + s] += As[(lane / 4 + s / 2 % 2 * 8) * A_ROW + s / 4 * 8 + lane % 4 * 2 + s % 2];
    }
}

/* Adds the sums of the groups that share rows to those of the first of them. `shares` has room for the others'. */
template <typename Tile>
static __device__ __forceinline__ void add_shares(float *shares, float (&sums)[Tile::SUMS])
{
    int group = (int)threadIdx.x / GROUP, team = group / Tile::KS, share = group % Tile::KS;
    float *of_team = shares + team * (Tile::KS - 1) * Tile::SUMS * GROUP + threadIdx.x % GROUP;
    if (share > 0)
#pragma unroll
        for (int i = 0; i < Tile::SUMS; i++)
            of_team[((share - 1) * Tile::SUMS + i) * GROUP] = sums[i];
    __syncthreads();
    if (share == 0)
#pragma unroll
        for (int i = 0; i < (Tile::KS - 1) * Tile::SUMS; i++)
            sums[i % Tile::SUMS] += of_team[i * GROUP];
    __syncthreads();
}
