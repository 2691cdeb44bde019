/* Tensor cores, as kernels/mma.h calls them. */
#pragma once

#include "cpu/simulator/sim_mma.h"
#include "simt_threads.h"

#include <cstdint>

static inline void mma_tf32(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1, SIMT_CALLER)
{
    const uint32_t b[2] = {b0, b1};
    sim_mma({file, line}, SIM_MMA_TF32, 8, d, a, b);
}

static inline void mma_fp16(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1, SIMT_CALLER)
{
    const uint32_t b[2] = {b0, b1};
    sim_mma({file, line}, SIM_MMA_FP16, 16, d, a, b);
}

SIMT_RETURNS(uint32_t, tf32_round, (float x), sim_tf32_round(x))
SIMT_RETURNS(uint32_t, fp16_pair, (float x0, float x1), (uint32_t)sim_fp16_round(x1) << 16 | sim_fp16_round(x0))

SIMT_RETURNS(uint32_t, warp_max, (uint32_t x, SIMT_CALLER), __reduce_max_sync(UINT32_MAX, x, file, line))
SIMT_RETURNS(uint32_t, warp_min, (uint32_t x, SIMT_CALLER), __reduce_min_sync(UINT32_MAX, x, file, line))
