/* Cooperative groups of blocks: the whole grid, and clusters. */
#pragma once

#include "cpu/simulator/sim_group.h"
#include "cpu/simulator/sim_shared.h"
#include "simt_threads.h"
#include "simt_types.h"

namespace cooperative_groups
{
/* What both have: `Blocks` says how many blocks there are, and which of them this one is. */
template <typename Blocks, typename Count>
class simt_blocks
{
  public:
    SIMT_STATIC(Count, num_threads, (), Blocks::num_blocks() * blockDim.x * blockDim.y * blockDim.z)
    SIMT_STATIC(Count, size, (), num_threads())
    SIMT_STATIC(Count, thread_rank, (),
                Blocks::block_rank() * blockDim.x * blockDim.y * blockDim.z + sim_thread_number())
};

class grid_group : public simt_blocks<grid_group, unsigned long long>
{
  public:
    static void sync(SIMT_CALLER)
    {
        if (!is_valid())
            sim_stop({file, line}, "waits for the whole grid, which was not launched by cudaLaunchCooperativeKernel()");
        sim_group_arrive({file, line});
        sim_group_wait({file, line}, "sync of a grid");
    }
    SIMT_STATIC(bool, is_valid, (), sim_launched()->is_cooperative)
    SIMT_STATIC(dim3, group_dim, (), gridDim)
    SIMT_STATIC(dim3, dim_blocks, (), gridDim)
    SIMT_STATIC(dim3, block_index, (), blockIdx)
    SIMT_STATIC(unsigned long long, num_blocks, (), (unsigned long long)gridDim.x *gridDim.y *gridDim.z)
    SIMT_STATIC(unsigned long long, block_rank, (),
                blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z))
};

/* The blocks of a cluster lie side by side in the grid. */
class cluster_group : public simt_blocks<cluster_group, unsigned>
{
  public:
    static dim3 dim_blocks()
    {
        const uint3 &size = sim_launched()->cluster;
        return size.x > 0 ? dim3(size.x, size.y, size.z) : dim3(1, 1, 1);
    }
    static dim3 block_index()
    {
        const dim3 size = dim_blocks();
        return dim3(blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z);
    }
    static dim3 dim_threads()
    {
        const dim3 size = dim_blocks();
        return dim3(size.x * blockDim.x, size.y * blockDim.y, size.z * blockDim.z);
    }
    static void sync(SIMT_CALLER)
    {
        barrier_arrive(file, line);
        barrier_wait(file, line);
    }
    /* The same variable in the block of that rank. */
    template <typename T>
    static T *map_shared_rank(T *shared, int rank, SIMT_CALLER)
    {
        return static_cast<T *>(sim_cluster_map({file, line}, shared, (unsigned)rank));
    }
    SIMT_STATIC(unsigned, query_shared_rank, (const void *shared), sim_shared_rank_of(shared))
    SIMT_STATIC(unsigned, num_blocks, (), sim_cluster_size())
    SIMT_STATIC(unsigned, block_rank, (), sim_cluster_rank())
    SIMT_STATIC(void, barrier_arrive, (SIMT_CALLER), sim_group_arrive({file, line}))
    SIMT_STATIC(void, barrier_wait, (SIMT_CALLER), sim_group_wait({file, line}, "sync of a cluster"))
};

SIMT_RETURNS(grid_group, this_grid, (), grid_group())
SIMT_RETURNS(cluster_group, this_cluster, (), cluster_group())
SIMT_RETURNS(void, sync, (const grid_group &, SIMT_CALLER), grid_group::sync(file, line))
} // namespace cooperative_groups
