/* FP32 factors as wgmma takes them, split into two parts of FP16 (fp16_parts.h) by a kernel of its own: what the
 * rungs fp16x3_wgmma and skinny_wgmma share.
 *
 *             step 0  step 1           wgmma takes factors from shared memory, in rows of 128 bytes along k (wgmma.h),
 *            +-------+-------+--       and B lies across it. So they are stored piece by piece in the order of shared
 *    128 rows| piece | piece |         memory: 128 rows of A, or columns of B, and 64 steps along k. A piece is 16 KiB
 *            +-------+-------+--       of high parts and 16 KiB of low ones, and has one scale. */
#pragma once

#include "fp16_parts.h"
#include "hopper.h"
#include "kernels/wgmma.h"

constexpr int WARP = 32, THREADS = 256;
constexpr int EACH = 8, BK = WGMMA_ROW_BYTES / 16 * EACH; /* factors in 16 bytes, and along k in a piece */
constexpr int PIECE_ROWS = 128, PART_BYTES = PIECE_ROWS * WGMMA_ROW_BYTES, PIECE_BYTES = 2 * PART_BYTES;
constexpr int TURNS = PART_BYTES / 16 / THREADS; /* 16 bytes of each part, for each thread */
constexpr int PIECE_ALIGNMENT = 1024;            /* in shared memory */
constexpr uint32_t NOT_HELD = 0;                 /* instead of an exponent; none is as low */

/* Packed factors, by tile and step: their pieces, and the exponents that these are scaled by, or NOT_HELD. */
struct packed {
    unsigned char *pieces;
    uint32_t *exponents;
};

/* The first place for a piece. */
static __device__ __forceinline__ unsigned char *first_place(unsigned char *shared)
{
    return shared + (PIECE_ALIGNMENT - shared_address(shared) % PIECE_ALIGNMENT) % PIECE_ALIGNMENT;
}

/* Of the factors x that a thread has of a piece, with EACH neighbours along k in 16 bytes, makes the high parts and the
 * low ones. Returns the piece's exponent, or NOT_HELD. All threads of the block call together. */
static __device__ __forceinline__ uint32_t split_piece(const float (&x)[TURNS][EACH], uint4 (&parts)[TURNS][2])
{
    __shared__ uint32_t most[THREADS / WARP], below_least[THREADS / WARP];
    range found = NO_FACTORS;
#pragma unroll
    for (int i = 0; i < TURNS; i++)
#pragma unroll
        for (int e = 0; e < EACH; e++)
            widen(found, x[i][e]);
    most[threadIdx.x / WARP] = warp_max(found.most);
    below_least[threadIdx.x / WARP] = warp_min(found.below_least);
    __syncthreads();
#pragma unroll
    for (int warp = 0; warp < THREADS / WARP; warp++) {
        found.most = max(found.most, most[warp]);
        found.below_least = min(found.below_least, below_least[warp]);
    }
    float scale = fp16_scale(fp16_exponent(found));
#pragma unroll
    for (int i = 0; i < TURNS; i++) {
        uint32_t high[4], low[4];
#pragma unroll
        for (int e = 0; e < 4; e++)
            fp16_split(x[i][2 * e] * scale, x[i][2 * e + 1] * scale, high[e], low[e]);
        parts[i][0] = make_uint4(high[0], high[1], high[2], high[3]);
        parts[i][1] = make_uint4(low[0], low[1], low[2], low[3]);
    }
    return fp16_holds(found) ? fp16_exponent(found) : NOT_HELD;
}

/* a is m x k, b is k x n, row-major. The first blocks have the pieces of A, one each, the others those of B. WIDE: k is
 * a multiple of 4, and a is aligned to 16 bytes. */
template <bool WIDE>
static __device__ __forceinline__ void pack_piece(int64_t m, int64_t n, int64_t k, int64_t steps, int64_t pieces_of_a,
                                                  const float *a, const float *b, packed to_a, packed to_b)
{
    bool of_a = blockIdx.x < pieces_of_a;
    int64_t piece = of_a ? blockIdx.x : blockIdx.x - pieces_of_a;
    int64_t first_row = piece / steps * PIECE_ROWS, first_p = piece % steps * BK;
    int places[TURNS];
    float x[TURNS][EACH];
#pragma unroll
    for (int turn = 0; turn < TURNS; turn++) {
        int i = turn * THREADS + (int)threadIdx.x;
        /* A row of A is read along k. Of B a warp reads 8 columns, which lie side by side: 32 bytes at once. */
        int row = of_a ? i / 8 : i / WARP % (PIECE_ROWS / 8) * 8 + i % 8;
        int eighth = of_a ? i % 8 : i / WARP / (PIECE_ROWS / 8) * 4 + i % WARP / 8;
        int64_t at = first_row + row, p = first_p + eighth * EACH;
        places[turn] = wgmma_place(row, eighth);
        if (of_a && WIDE) {
#pragma unroll
            for (int e = 0; e < EACH; e += 4) {
                float4 four =
                    at < m && p + e < k ? __ldg((const float4 *)(a + at * k + p + e)) : make_float4(0, 0, 0, 0);
                x[turn][e] = four.x, x[turn][e + 1] = four.y, x[turn][e + 2] = four.z, x[turn][e + 3] = four.w;
            }
        } else {
            const float *from = of_a ? a + at * k + p : b + p * n + at;
            int64_t stride = of_a ? 1 : n, rows = of_a ? m : n;
#pragma unroll
            for (int e = 0; e < EACH; e++)
                x[turn][e] = at < rows && p + e < k ? __ldg(from + e * stride) : 0.0f;
        }
    }
    packed to = of_a ? to_a : to_b;
    uint4 parts[TURNS][2];
    uint32_t exponent = split_piece(x, parts);
    if (threadIdx.x == 0)
        to.exponents[piece] = exponent;
    unsigned char *bytes = to.pieces + piece * PIECE_BYTES;
#pragma unroll
    for (int turn = 0; turn < TURNS; turn++)
#pragma unroll
        for (int part = 0; part < 2; part++)
            *(uint4 *)(bytes + part * PART_BYTES + places[turn]) = parts[turn][part];
}

/* Adds the products of parts, high high and the two others, to the sums. `back` takes the scales back. */
template <int SUMS>
static __device__ __forceinline__ void add_products(const float (&large)[SUMS], const float (&small)[SUMS], float back,
                                                    float (&sums)[SUMS])
{
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        sums[i] = fmaf(fmaf(small[i], LOW_DOWN, large[i]), back, sums[i]);
}
