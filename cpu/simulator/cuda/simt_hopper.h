/* Clusters, barriers with phases and bulk copies, as kernels/matmul/hopper.h calls them. */
#pragma once

#include "cpu/simulator/sim_async.h"
#include "cpu/simulator/sim_group.h"
#include "cpu/simulator/sim_proxy.h"
#include "simt_memory.h"

#define CLUSTER_OF(blocks) __cluster_dims__(blocks, 1, 1)

SIMT_RETURNS(uint32_t, shared_address, (const void *memory), sim_shared_address(memory))
SIMT_RETURNS(void, barrier_make, (uint64_t * barrier, uint32_t arrivals, SIMT_CALLER),
             sim_mbarrier_make({file, line}, barrier, arrivals))
SIMT_RETURNS(void, barriers_made, (), sim_proxy_fence())
SIMT_RETURNS(void, barrier_wait, (uint64_t * barrier, uint32_t parity, SIMT_CALLER),
             sim_mbarrier_wait({file, line}, barrier, parity))
SIMT_RETURNS(void, barrier_arrive, (uint64_t * barrier, SIMT_CALLER),
             (void)sim_mbarrier_arrive({file, line}, barrier, 1, 0))

static inline void copy_bulk(void *shared, const void *global, uint32_t bytes, uint64_t *barrier, SIMT_CALLER)
{
    sim_mbarrier_arrive({file, line}, barrier, 1, bytes);
    sim_bulk_load({file, line}, shared, global, bytes, barrier);
}

SIMT_RETURNS(void, cluster_arrive, (SIMT_CALLER), sim_group_arrive({file, line}))
SIMT_RETURNS(void, cluster_wait, (SIMT_CALLER), sim_group_wait({file, line}, "cluster_wait"))

static inline void cluster_store(float4 *shared, int block, float4 value, SIMT_CALLER)
{
    const sim_place place = {file, line};
    float4 *there = static_cast<float4 *>(sim_cluster_map(place, shared, (unsigned)block));
    sim_access_begin(place, "cluster_store", there, sizeof *there, true);
    *there = value;
    sim_access_end();
}
