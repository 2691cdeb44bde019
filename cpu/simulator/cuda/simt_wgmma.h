/* Products by Hopper's tensor cores, as kernels/wgmma.h calls them. */
#pragma once

#include "cpu/simulator/sim_proxy.h"
#include "cpu/simulator/sim_wgmma.h"
#include "simt_threads.h"

SIMT_RETURNS(void, wgmma_fence, (), sim_wgmma_fence())
SIMT_RETURNS(void, wgmma_commit, (), sim_wgmma_commit())
SIMT_RETURNS(void, wgmma_wait, (SIMT_CALLER), sim_wgmma_wait({file, line}, 0))

template <typename Registers>
SIMT_RETURNS(void, wgmma_take, (Registers &), void())

SIMT_RETURNS(void, wgmma_see_shared, (), sim_proxy_fence())

    template <size_t SUMS>
    void wgmma_multiply(float (&sums)[SUMS], uint64_t a, uint64_t b, bool add, SIMT_CALLER)
{
    const sim_wgmma product = {SIM_MMA_FP16, 2 * SUMS, nullptr, false, {}, a, b, false, false, sums, add};
    sim_wgmma_multiply({file, line}, &product);
}

template <size_t SUMS>
void wgmma_multiply(float (&sums)[SUMS], const uint32_t (&a)[4], uint64_t b, bool add, SIMT_CALLER)
{
    const sim_wgmma product = {SIM_MMA_FP16, 2 * SUMS, a, false, {}, 0, b, false, false, sums, add};
    sim_wgmma_multiply({file, line}, &product);
}
