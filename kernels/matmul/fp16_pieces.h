/* The format (wgmma_pieces.h) of FP32 factors split into two parts of FP16, with a scale for each piece: what the rungs
 * fp16x3_wgmma and skinny_wgmma share. */
#pragma once

#include "fp16_parts.h"
#include "wgmma_pieces.h"

struct fp16_pieces {
    static constexpr bool FP16 = true;
    static constexpr int PARTS = 2;
    static constexpr uint32_t NOT_HELD = 0; /* no exponent is as low */

    /* The exponent that the piece is scaled by, or NOT_HELD. */
    static __device__ __forceinline__ uint32_t pack(const float (&x)[TURNS][8], uint4 (&parts)[TURNS][PARTS])
    {
        __shared__ uint32_t most[THREADS / WARP], below_least[THREADS / WARP];
        range found = NO_FACTORS;
#pragma unroll
        for (int i = 0; i < TURNS; i++)
#pragma unroll
            for (int e = 0; e < 8; e++)
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
};
