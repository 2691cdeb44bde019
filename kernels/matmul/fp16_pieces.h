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
#include "kernels/four.h"
#include "kernels/wgmma.h"

constexpr int WARP = 32, THREADS = 256;
constexpr int EACH = 8, BK = WGMMA_ROW_BYTES / 16 * EACH; /* factors in 16 bytes, and along k in a piece */
constexpr int PIECE_ROWS = 128, PART_BYTES = PIECE_ROWS * WGMMA_ROW_BYTES, PIECE_BYTES = 2 * PART_BYTES;
constexpr int TURNS = PART_BYTES / 16 / THREADS; /* 16 bytes of each part, for each thread */
constexpr int PIECE_ALIGNMENT = 1024;            /* in shared memory */
constexpr int PACKING_BLOCKS = 4;                /* on a multiprocessor: to pack is to wait for memory */
constexpr int SLICE = 4;                         /* along k */

/* How a piece is packed: the exponent that it is scaled by, in the lowest 8 bits, and a bit for each slice that has
 * zeros instead of its factors, as one of these is not held beside the largest of the piece: LEFT_OUT for the first. */
using packing = uint32_t;
constexpr packing LEFT_OUT = 1u << 8;
static_assert(8 + BK / SLICE <= 32 && EACH % SLICE == 0, "a bit for each slice, whose factors a thread has");
static_assert(SLICE * 2 == sizeof(uint2), "a slice's parts are FP16");

/* Packed factors, by tile and step. */
struct packed {
    unsigned char *pieces;
    packing *packings;
};

/* The first place for a piece. */
static __device__ __forceinline__ unsigned char *first_place(unsigned char *shared)
{
    return shared + (PIECE_ALIGNMENT - shared_address(shared) % PIECE_ALIGNMENT) % PIECE_ALIGNMENT;
}

/* The exponent that a piece with factors of that range is scaled by. */
static __device__ __forceinline__ uint32_t piece_exponent(const range &found)
{
    return min(fp16_exponent(found), WIDE_END);
}

/* Of the factors x that a thread has of a piece, with EACH neighbours along k in 16 bytes, makes the high parts and the
 * low ones. Returns the range of all factors of the piece. All threads of the block call together. */
static __device__ __forceinline__ range split_piece(const float (&x)[TURNS][EACH], uint4 (&parts)[TURNS][2])
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
    float scale = fp16_scale(piece_exponent(found));
#pragma unroll
    for (int i = 0; i < TURNS; i++) {
        uint32_t high[4], low[4];
#pragma unroll
        for (int e = 0; e < 4; e++)
            fp16_split(x[i][2 * e] * scale, x[i][2 * e + 1] * scale, high[e], low[e]);
        parts[i][0] = make_uint4(high[0], high[1], high[2], high[3]);
        parts[i][1] = make_uint4(low[0], low[1], low[2], low[3]);
    }
    return found;
}

/* A piece of A, or of B, and the factors of it that a thread has, some in each turn. `factors` is m x k or k x n,
 * row-major; `rows` are m or n. WIDE: k is a multiple of 4, and A is aligned to 16 bytes. */
template <bool OF_A, bool WIDE>
struct piece_source {
    const float *factors;
    int64_t rows, k, first_row, first_p;

    /* A row of A is read along k. Of B a warp reads 8 columns, which lie side by side: 32 bytes at once. */
    __device__ __forceinline__ int row(int turn) const
    {
        int i = turn * THREADS + (int)threadIdx.x;
        return OF_A ? i / 8 : i / WARP % (PIECE_ROWS / 8) * 8 + i % 8;
    }
    __device__ __forceinline__ int eighth(int turn) const
    {
        int i = turn * THREADS + (int)threadIdx.x;
        return OF_A ? i % 8 : i / WARP / (PIECE_ROWS / 8) * 4 + i % WARP / 8;
    }
    __device__ __forceinline__ int place(int turn) const
    {
        return wgmma_place(row(turn), eighth(turn));
    }
    __device__ __forceinline__ void read(int turn, float (&x)[EACH]) const
    {
        constexpr int WIDTH = OF_A && WIDE ? 4 : 1;
        const int64_t at = first_row + row(turn), p = first_p + eighth(turn) * EACH;
        const float *from = factors + (OF_A ? at * k + p : p * rows + at);
#pragma unroll
        for (int e = 0; e < EACH; e += WIDTH, from += OF_A ? WIDTH : rows) {
            const bool there = at < rows && p + e < k;
            if (WIDTH == 4)
                unpack(there ? __ldg((const float4 *)from) : make_float4(0, 0, 0, 0), &x[e]);
            else
                x[e] = there ? __ldg(from) : 0.0f;
        }
    }
};

/* Writes zeros over the slices of a piece, packed already, that have factors which are not held. Returns their bits.
 * All threads of the block call together. */
template <typename Source>
static __device__ __noinline__ packing leave_out(const Source &source, uint32_t most, unsigned char *piece)
{
    __shared__ packing left_out;
    auto bit_of = [&](int turn, int e) { return LEFT_OUT << (source.eighth(turn) * EACH + e) / SLICE; };
    if (threadIdx.x == 0)
        left_out = 0;
    __syncthreads();
#pragma unroll 1
    for (int turn = 0; turn < TURNS; turn++) {
        float x[EACH];
        source.read(turn, x);
#pragma unroll
        for (int e = 0; e < EACH; e++) {
            range of_factor = {most, UINT32_MAX};
            widen(of_factor, x[e]);
            if (!fp16_holds(of_factor))
                atomicOr(&left_out, bit_of(turn, e));
        }
    }
    __syncthreads();
#pragma unroll 1
    for (int turn = 0; turn < TURNS; turn++)
        for (int e = 0; e < EACH; e += SLICE)
            if (left_out & bit_of(turn, e))
                for (int part = 0; part < 2; part++)
                    *(uint2 *)(piece + part * PART_BYTES + source.place(turn) + e * 2) = make_uint2(0, 0);
    return left_out;
}

template <typename Source>
static __device__ __forceinline__ void pack_from(const Source &source, unsigned char *piece, packing *packing_of_piece)
{
    float x[TURNS][EACH];
    uint4 parts[TURNS][2];
#pragma unroll
    for (int turn = 0; turn < TURNS; turn++)
        source.read(turn, x[turn]);
    const range found = split_piece(x, parts);
#pragma unroll
    for (int turn = 0; turn < TURNS; turn++)
#pragma unroll
        for (int part = 0; part < 2; part++)
            *(uint4 *)(piece + part * PART_BYTES + source.place(turn)) = parts[turn][part];
    const packing left_out = fp16_holds(found) ? 0 : leave_out(source, found.most, piece);
    if (threadIdx.x == 0)
        *packing_of_piece = piece_exponent(found) | left_out;
}

/* a is m x k, b is k x n, row-major. The first blocks have the pieces of A, one each, the others those of B. WIDE: as
 * for piece_source. */
template <bool WIDE>
static __device__ __forceinline__ void pack_piece(int64_t m, int64_t n, int64_t k, int64_t steps, int64_t pieces_of_a,
                                                  const float *a, const float *b, packed to_a, packed to_b)
{
    const bool of_a = blockIdx.x < pieces_of_a;
    const int64_t number = of_a ? blockIdx.x : blockIdx.x - pieces_of_a;
    const int64_t first_row = number / steps * PIECE_ROWS, first_p = number % steps * BK;
    const packed to = of_a ? to_a : to_b;
    unsigned char *piece = to.pieces + number * PIECE_BYTES;
    if (of_a)
        pack_from(piece_source<true, WIDE>{a, m, k, first_row, first_p}, piece, to.packings + number);
    else
        pack_from(piece_source<false, WIDE>{b, n, k, first_row, first_p}, piece, to.packings + number);
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
