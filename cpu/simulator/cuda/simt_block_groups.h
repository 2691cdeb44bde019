/* Cooperative groups of blocks: the whole grid, and clusters. */
#pragma once

#include "cpu/simulator/sim_group.h"
#include "cpu/simulator/sim_shared.h"
#include "simt_threads.h"
#include "simt_types.h"

namespace cooperative_groups
{
class grid_group
{
  public:
    unsigned long long size() const
    {
        return num_blocks() * (blockDim.x * blockDim.y * blockDim.z);
    }
    unsigned long long num_threads() const
    {
        return size();
    }
    unsigned long long num_blocks() const
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    unsigned long long block_rank() const
    {
        return blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    unsigned long long thread_rank() const
    {
        return block_rank() * (blockDim.x * blockDim.y * blockDim.z) + sim_thread_number();
    }
    dim3 group_dim() const
    {
        return gridDim;
    }
    dim3 dim_blocks() const
    {
        return gridDim;
    }
    dim3 block_index() const
    {
        return blockIdx;
    }
    bool is_valid() const
    {
        return sim_launched()->is_cooperative;
    }
    void sync(SIMT_CALLER) const
    {
        if (!is_valid())
            sim_stop({file, line}, "waits for the whole grid, which was not launched by cudaLaunchCooperativeKernel()");
        sim_group_arrive({file, line});
        sim_group_wait({file, line}, "sync of a grid");
    }
};

inline grid_group this_grid()
{
    return grid_group();
}

/* The blocks of a cluster lie side by side in the grid. */
class cluster_group
{
  public:
    static unsigned num_blocks()
    {
        return sim_cluster_size();
    }
    static unsigned block_rank()
    {
        return sim_cluster_rank();
    }
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
    static unsigned num_threads()
    {
        return num_blocks() * blockDim.x * blockDim.y * blockDim.z;
    }
    static unsigned size()
    {
        return num_threads();
    }
    static unsigned thread_rank()
    {
        return block_rank() * blockDim.x * blockDim.y * blockDim.z + sim_thread_number();
    }
    static void barrier_arrive(SIMT_CALLER)
    {
        sim_group_arrive({file, line});
    }
    static void barrier_wait(SIMT_CALLER)
    {
        sim_group_wait({file, line}, "sync of a cluster");
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
    static unsigned query_shared_rank(const void *shared)
    {
        return sim_shared_rank_of(shared);
    }
};

inline cluster_group this_cluster()
{
    return cluster_group();
}

inline void sync(const grid_group &group, SIMT_CALLER)
{
    group.sync(file, line);
}
} // namespace cooperative_groups
