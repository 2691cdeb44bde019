/* Cooperative groups: CUDA C++ Programming Guide, "Cooperative Groups". Groups of lanes are masks within a warp, so a
 * tile has 32 threads at most. There are no grids of several devices. */
#pragma once

#include "cpu/simulator/sim_group.h"
#include "cpu/simulator/sim_shared.h"
#include "simt_lanes.h"

namespace cooperative_groups
{
template <typename Count>
class simt_group
{
  public:
    SIMT_RETURNS(Count, size, () const, mask != 0 ? (unsigned)__builtin_popcount(mask) : simt::threads())
    SIMT_RETURNS(Count, num_threads, () const, size())
    SIMT_RETURNS(Count, thread_rank, () const, mask != 0 ? simt::lanes_below(mask, simt::lane()) : simt::thread())
    SIMT_RETURNS(bool, is_valid, () const, true)
    SIMT_RETURNS(unsigned, lanes, () const, mask) /* not in CUDA */
    void sync(SIMT_CALLER) const
    {
        if (mask != 0)
            sim_warp_exchange({file, line}, "sync of a group", mask, 0);
        else
            sim_barrier({file, line}, "sync of a block", 0);
    }

  protected:
    explicit simt_group(unsigned mask_) : mask(mask_)
    {
    }
    unsigned mask; /* 0: the block */
};

/* One whose type is known counts in 32 bits. */
using sized_group = simt_group<unsigned>;

/* Any group; a value, as the guide's thread_group is. */
class thread_group : public simt_group<unsigned long long>
{
  public:
    thread_group(const sized_group &group) : simt_group(group.lanes())
    {
    }

  private:
    using simt_group::simt_group;
    friend thread_group tiled_partition(const thread_group &parent, unsigned size, const char *file, int line);
};

class thread_block : public sized_group
{
    thread_block() : sized_group(0)
    {
    }
    friend thread_block this_thread_block();

  public:
    SIMT_STATIC(void, sync, (SIMT_CALLER), (void)sim_barrier({file, line}, "sync of a block", 0))
    SIMT_STATIC(dim3, group_index, (), blockIdx)
    SIMT_STATIC(dim3, thread_index, (), threadIdx)
    SIMT_STATIC(dim3, group_dim, (), blockDim)
    SIMT_STATIC(dim3, dim_threads, (), blockDim)
};

SIMT_RETURNS(thread_block, this_thread_block, (), thread_block())

/* What groups of lanes do with values. Sources are ranks within the group. */
class simt_lanes : public sized_group
{
  public:
    template <typename T>
    T shfl(T value, unsigned rank, SIMT_CALLER) const
    {
        return from_rank(value, rank % size(), "shfl", {file, line});
    }
    template <typename T>
    T shfl_up(T value, unsigned delta, SIMT_CALLER) const
    {
        const unsigned own = thread_rank();
        return from_rank(value, delta > own ? own : own - delta, "shfl_up", {file, line});
    }
    template <typename T>
    T shfl_down(T value, unsigned delta, SIMT_CALLER) const
    {
        const unsigned own = thread_rank();
        return from_rank(value, delta >= size() - own ? own : own + delta, "shfl_down", {file, line});
    }
    SIMT_RETURNS(int, any, (int predicate, SIMT_CALLER) const, votes(predicate, "any", {file, line}) != 0)
    SIMT_RETURNS(int, all, (int predicate, SIMT_CALLER) const, votes(predicate == 0, "all", {file, line}) == 0)
    /* Bits are by rank. */
    SIMT_RETURNS(unsigned, ballot, (int predicate, SIMT_CALLER) const, votes(predicate, "ballot", {file, line}))
    template <typename T>
    unsigned match_any(T value, SIMT_CALLER) const
    {
        const simt::gathered<T> all(mask, value, "match_any", {file, line});
        unsigned same = 0;
        for (unsigned i = 0; i < all.count; i++)
            same |= (all.values[i] == value ? 1u : 0) << i;
        return same;
    }
    template <typename T>
    unsigned match_all(T value, int &predicate, SIMT_CALLER) const
    {
        const simt::gathered<T> all(mask, value, "match_all", {file, line});
        unsigned same = 0;
        for (unsigned i = 0; i < all.count; i++)
            same += all.values[i] == value;
        predicate = same == all.count;
        return predicate ? (1ull << all.count) - 1 : 0;
    }

  protected:
    explicit simt_lanes(unsigned mask_) : sized_group(mask_)
    {
    }
    template <typename T>
    T from_rank(T value, unsigned rank, const char *operation, sim_place place) const
    {
        return simt::value_from(mask, value, simt::lane_of_rank(mask, rank), operation, place);
    }

  private:
    unsigned votes(int predicate, const char *operation, sim_place place) const
    {
        unsigned votes = simt::ballot(mask, predicate, operation, place), by_rank = 0;
        for (unsigned i = 0; i < SIM_WARP; i++)
            if ((votes >> i & 1) != 0)
                by_rank |= 1u << simt::lanes_below(mask, i);
        return by_rank;
    }
};

/* One of several groups that a larger one was cut into. */
class simt_part : public simt_lanes
{
  public:
    SIMT_RETURNS(unsigned, meta_group_rank, () const, rank)
    SIMT_RETURNS(unsigned, meta_group_size, () const, count)
    /* Not in CUDA. */
    explicit simt_part(unsigned lanes, unsigned rank_ = 0, unsigned count_ = 1)
        : simt_lanes(lanes), rank(rank_), count(count_)
    {
    }

  private:
    unsigned rank, count;
};

/* That of a named parent is one of any parent, too. */
template <unsigned N, typename Parent = void>
class thread_block_tile : public thread_block_tile<N, void>
{
  public:
    using thread_block_tile<N, void>::thread_block_tile;
};

template <unsigned N>
class thread_block_tile<N, void> : public simt_part
{
    static_assert(N >= 1 && (N & (N - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    static_assert(N <= 32, "tiles of more than a warp do not exist on the simulator");

  public:
    SIMT_STATIC(constexpr unsigned, size, (), N)
    SIMT_STATIC(constexpr unsigned, num_threads, (), N)
    template <typename T>
    T shfl_xor(T value, unsigned lane_mask, SIMT_CALLER) const
    {
        const unsigned to = this->thread_rank() ^ lane_mask;
        return this->from_rank(value, to < N ? to : this->thread_rank(), "shfl_xor", {file, line});
    }
    /* Not in CUDA: of the parent's tiles, this one. */
    thread_block_tile(unsigned parents_rank, unsigned parents_size)
        : simt_part((N == 32 ? ~0u : (1u << N % 32) - 1) << (simt::lane() & ~(N - 1)), parents_rank / N,
                    (parents_size + N - 1) / N)
    {
    }
};

class coalesced_group : public simt_part
{
  public:
    using simt_part::simt_part;
};

/* CUDA promises no more than that the calling thread is in it, and threads run one at a time here. */
SIMT_RETURNS(coalesced_group, coalesced_threads, (), coalesced_group(1u << simt::lane()))
SIMT_RETURNS(thread_block_tile<1>, this_thread, (), thread_block_tile<1>(0, 1))

template <unsigned N, typename Parent>
thread_block_tile<N, Parent> tiled_partition(const Parent &parent)
{
    return thread_block_tile<N, Parent>((unsigned)parent.thread_rank(), (unsigned)parent.size());
}

namespace simt_detail
{
/* Those of a group's lanes whose ranks `is_in` takes. */
template <typename F>
unsigned lanes_by_rank(unsigned mask, F is_in)
{
    unsigned lanes = 0;
    for (unsigned i = 0; i < SIM_WARP; i++)
        if ((mask >> i & 1) != 0 && is_in(simt::lanes_below(mask, i)))
            lanes |= 1u << i;
    return lanes;
}

/* Those whose ranks divided by `size` are the caller's. */
inline unsigned part_of(unsigned mask, unsigned size)
{
    const unsigned own = simt::lanes_below(mask, simt::lane()) / size;
    return lanes_by_rank(mask, [=](unsigned rank) { return rank / size == own; });
}
} // namespace simt_detail

inline thread_group tiled_partition(const thread_group &parent, unsigned size, SIMT_CALLER)
{
    if (size < 1 || size > SIM_WARP || (size & (size - 1)) != 0)
        sim_stop({file, line}, "makes tiles of %u threads, expected 1, 2, 4, 8, 16 or 32", size);
    return thread_group(simt_detail::part_of(parent.mask != 0 ? parent.mask : ~0u, size));
}

inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned size)
{
    return coalesced_group(simt_detail::part_of(parent.lanes(), size), parent.thread_rank() / size,
                           (parent.size() + size - 1) / size);
}

/* The threads whose label is the caller's. */
template <typename Group, typename Label>
coalesced_group labeled_partition(const Group &group, Label label, SIMT_CALLER)
{
    const unsigned same = group.match_any(label, file, line);
    return coalesced_group(
        simt_detail::lanes_by_rank(group.lanes(), [=](unsigned rank) { return (same >> rank & 1) != 0; }));
}

template <typename Group>
SIMT_RETURNS(coalesced_group, binary_partition, (const Group &group, bool predicate, SIMT_CALLER),
             labeled_partition(group, predicate, file, line))

/* Groups of blocks, the whole grid and clusters. */

/* What both have: `Blocks` says how many blocks there are, and which of them this one is. */
template <typename Blocks, typename Count>
class simt_blocks
{
  public:
    SIMT_STATIC(Count, num_threads, (), Blocks::num_blocks() * simt::threads())
    SIMT_STATIC(Count, size, (), num_threads())
    SIMT_STATIC(Count, thread_rank, (), Blocks::block_rank() * simt::threads() + simt::thread())
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

SIMT_RETURNS(void, sync, (const thread_group &group, SIMT_CALLER), group.sync(file, line))

template <typename Group>
SIMT_RETURNS(auto, thread_rank, (const Group &group), group.thread_rank())
template <typename Group>
SIMT_RETURNS(auto, group_size, (const Group &group), group.size())

/* `less` is the smaller one, as in CUDA. */
#define SIMT_JOINS(name, value)                              \
    template <typename T>                                    \
    struct name {                                            \
        SIMT_RETURNS(T, operator(), (T a, T b) const, value) \
    };
SIMT_JOINS(plus, a + b) SIMT_JOINS(less, b < a ? b : a) SIMT_JOINS(greater, a < b ? b : a) SIMT_JOINS(bit_and, a &b)
    SIMT_JOINS(bit_or, a | b) SIMT_JOINS(bit_xor, a ^ b)
} // namespace cooperative_groups
