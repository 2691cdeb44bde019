/* Factors as wgmma takes them, made of FP32 by a kernel of its own: what the rungs tf32_wgmma, fp16x3_wgmma and
 * skinny_wgmma share.
 *
 *             step 0  step 1           wgmma takes factors from shared memory, in rows of 128 bytes along k (wgmma.h);
 *            +-------+-------+--       for TF32 no other order will do, and B lies across it. So they are stored
 *    128 rows| piece | piece |         piece by piece in the order of shared memory: 128 rows of A, or columns of B,
 *            +-------+-------+--       and 128 bytes along k. A piece has one part, or two if its numbers are split.
 *             128 bytes = 32 TF32, or 64 FP16
 *
 * A format is a type with
 *   FP16, PARTS            FP16 or TF32; how many numbers a factor is split into. A piece has so many parts of 16 KiB
 *   pack(x, parts)         makes the parts of what a thread has of a piece; returns a note on the piece, the same to
 *                          all threads of the block, which call together */
#pragma once

#include "kernels/wgmma.h"

constexpr int WARP = 32, THREADS = 256;
constexpr int PIECE_ROWS = 128, PART_BYTES = PIECE_ROWS * WGMMA_ROW_BYTES; /* of A and of B */
constexpr int TURNS = PART_BYTES / 16 / THREADS;                           /* 16 bytes of each part, for each thread */
constexpr int PIECE_ALIGNMENT = 1024;                                      /* in shared memory */

template <typename Format>
struct layout_of {
    static constexpr int PIECE_BYTES = Format::PARTS * PART_BYTES;
    static constexpr int EACH = Format::FP16 ? 8 : 4; /* elements in 16 bytes */
    static constexpr int BK = WGMMA_ROW_BYTES / 16 * EACH;
};

/* Packed factors, by tile and step, and the notes of their pieces. */
struct packed {
    unsigned char *pieces;
    uint32_t *notes;
};

/* a is m x k, b is k x n, row-major. The first blocks have the pieces of A, one each, the others those of B. WIDE: k is
 * a multiple of 4, and a is aligned to 16 bytes. */
template <typename Format, bool WIDE>
static __device__ __forceinline__ void pack_piece(int64_t m, int64_t n, int64_t k, int64_t steps, int64_t pieces_of_a,
                                                  const float *a, const float *b, packed to_a, packed to_b)
{
    constexpr int EACH = layout_of<Format>::EACH, BK = layout_of<Format>::BK;
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
    uint4 parts[TURNS][Format::PARTS];
    uint32_t note = Format::pack(x, parts);
    if (threadIdx.x == 0)
        to.notes[piece] = note;
    unsigned char *bytes = to.pieces + piece * layout_of<Format>::PIECE_BYTES;
#pragma unroll
    for (int turn = 0; turn < TURNS; turn++)
#pragma unroll
        for (int part = 0; part < Format::PARTS; part++)
            *(uint4 *)(bytes + part * PART_BYTES + places[turn]) = parts[turn][part];
}
