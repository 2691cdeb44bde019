/* What kernels use most of CUB (https://nvidia.github.io/cccl/cub): of warps and of blocks, in the same words. A result
 * that CUB gives to the first thread alone, other threads do not have here either. As in CUB a block's temporary
 * storage is shared memory that is used again only behind a barrier. */
#pragma once

#include "cpu/simulator/cuda/simt_lanes.h"

namespace cub
{
#define SIMT_JOINS_ANY(name, value)                                        \
    struct name {                                                          \
        template <typename T>                                              \
        SIMT_RETURNS(T, operator(), (const T &a, const T &b) const, value) \
    };
SIMT_JOINS_ANY(Sum, a + b)
SIMT_JOINS_ANY(Max, a < b ? b : a)
SIMT_JOINS_ANY(Min, b < a ? b : a)

namespace simt_detail
{
/* What needs no storage here. */
struct without_storage {
    struct TempStorage {
        char unused;
    };
    explicit without_storage(TempStorage &)
    {
    }
};

/* The values of the caller's part of a warp. */
template <int LANES, typename T>
simt::gathered<T> gather(T value, const char *operation, sim_place place)
{
    static_assert(LANES >= 1 && LANES <= SIM_WARP, "1 to 32 lanes");
    const unsigned lanes = LANES == SIM_WARP ? ~0u : (1u << LANES % SIM_WARP) - 1;
    return simt::gathered<T>(lanes << simt::lane() / LANES * LANES, value, operation, place);
}

/* What scans of warps and of blocks are called by. `Own` has scan(); without a start it is inclusive. Totals are
 * without the start. */
template <typename Own, typename T>
class scans
{
  public:
    template <typename F>
    SIMT_INLINE void InclusiveScan(T value, T &result, F change, T &total, SIMT_CALLER)
    {
        static_cast<Own *>(this)->scan(value, result, nullptr, change, total, {file, line});
    }
    template <typename F>
    SIMT_INLINE void InclusiveScan(T value, T &result, F change, SIMT_CALLER)
    {
        T total;
        InclusiveScan(value, result, change, total, file, line);
    }
    template <typename F>
    SIMT_INLINE void ExclusiveScan(T value, T &result, T start, F change, T &total, SIMT_CALLER)
    {
        static_cast<Own *>(this)->scan(value, result, &start, change, total, {file, line});
    }
    template <typename F>
    SIMT_INLINE void ExclusiveScan(T value, T &result, T start, F change, SIMT_CALLER)
    {
        T total;
        ExclusiveScan(value, result, start, change, total, file, line);
    }
    SIMT_INLINE void InclusiveSum(T value, T &result, T &total, SIMT_CALLER)
    {
        InclusiveScan(value, result, cub::Sum(), total, file, line);
    }
    SIMT_INLINE void InclusiveSum(T value, T &result, SIMT_CALLER)
    {
        InclusiveScan(value, result, cub::Sum(), file, line);
    }
    SIMT_INLINE void ExclusiveSum(T value, T &result, T &total, SIMT_CALLER)
    {
        ExclusiveScan(value, result, T(), cub::Sum(), total, file, line);
    }
    SIMT_INLINE void ExclusiveSum(T value, T &result, SIMT_CALLER)
    {
        ExclusiveScan(value, result, T(), cub::Sum(), file, line);
    }
};
} // namespace simt_detail

template <typename T, int LANES = SIM_WARP>
class WarpReduce : public simt_detail::without_storage
{
  public:
    using without_storage::without_storage;
    /* For the first of its lanes; of the first `count` of them. */
    template <typename F>
    T Reduce(T value, F change, int count = LANES, SIMT_CALLER)
    {
        const simt::gathered<T> all = simt_detail::gather<LANES>(value, "WarpReduce", {file, line});
        const unsigned some = count < (int)all.count ? (unsigned)count : all.count;
        return simt::lane() % LANES == 0 ? simt::joined(all, some, change) : value;
    }
    T Sum(T value, int count = LANES, SIMT_CALLER)
    {
        return Reduce(value, cub::Sum(), count, file, line);
    }
};

template <typename T, int LANES = SIM_WARP>
class WarpScan : public simt_detail::without_storage, public simt_detail::scans<WarpScan<T, LANES>, T>
{
  public:
    using without_storage::without_storage;
    T Broadcast(T value, unsigned lane, SIMT_CALLER)
    {
        return simt_detail::gather<LANES>(value, "Broadcast", {file, line}).values[lane];
    }
    template <typename F>
    void scan(T value, T &result, const T *start, F change, T &total, sim_place place)
    {
        const simt::gathered<T> all = simt_detail::gather<LANES>(value, "WarpScan", place);
        const unsigned before = simt::lane() % LANES;
        total = simt::joined(all, all.count, change);
        if (!start)
            result = simt::joined(all, before + 1, change);
        else
            result = before == 0 ? *start : change(*start, simt::joined(all, before, change));
    }
};

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

namespace simt_detail
{
/* A value of each thread of the block. */
template <typename T, int THREADS>
struct storage {
    alignas(T) unsigned char bytes[THREADS * sizeof(T)];

    SIMT_INLINE T &operator[](unsigned i)
    {
        return reinterpret_cast<T *>(bytes)[i];
    }
};

template <typename T, int N, typename F>
SIMT_INLINE T join(const T (&values)[N], F change)
{
    T sum = values[0];
    for (int i = 1; i < N; i++)
        sum = change(sum, values[i]);
    return sum;
}
} // namespace simt_detail

template <typename T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce
{
  public:
    using TempStorage = simt_detail::storage<T, X * Y * Z>;
    SIMT_INLINE explicit BlockReduce(TempStorage &storage) : values(storage)
    {
    }
    /* For the first thread; of the first `count` ones. */
    template <typename F>
    SIMT_INLINE T Reduce(T value, F change, int count = X * Y * Z, SIMT_CALLER)
    {
        values[simt::thread()] = value;
        sim_barrier({file, line}, "BlockReduce", 0);
        if (simt::thread() == 0)
            for (int i = 1; i < count && i < X * Y * Z; i++)
                value = change(value, values[(unsigned)i]);
        return value;
    }
    template <int N, typename F>
    SIMT_INLINE T Reduce(T (&own)[N], F change, SIMT_CALLER)
    {
        return Reduce(simt_detail::join(own, change), change, X * Y * Z, file, line);
    }
    SIMT_INLINE T Sum(T value, int count = X * Y * Z, SIMT_CALLER)
    {
        return Reduce(value, cub::Sum(), count, file, line);
    }
    template <int N>
    SIMT_INLINE T Sum(T (&own)[N], SIMT_CALLER)
    {
        return Reduce(own, cub::Sum(), file, line);
    }

  private:
    TempStorage &values;
};

template <typename T, int X, BlockScanAlgorithm HOW = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int ARCH = 0>
class BlockScan : public simt_detail::scans<BlockScan<T, X, HOW, Y, Z, ARCH>, T>
{
    using scans = simt_detail::scans<BlockScan, T>;

  public:
    using TempStorage = simt_detail::storage<T, X * Y * Z>;
    SIMT_INLINE explicit BlockScan(TempStorage &storage) : values(storage)
    {
    }
    using scans::ExclusiveSum;
    using scans::InclusiveSum;
    template <int N>
    SIMT_INLINE void InclusiveSum(T (&own)[N], T (&result)[N], SIMT_CALLER)
    {
        T before;
        ExclusiveSum(simt_detail::join(own, cub::Sum()), before, file, line);
        for (int i = 0; i < N; i++)
            result[i] = before = before + own[i];
    }
    template <int N>
    SIMT_INLINE void ExclusiveSum(T (&own)[N], T (&result)[N], SIMT_CALLER)
    {
        T before;
        ExclusiveSum(simt_detail::join(own, cub::Sum()), before, file, line);
        for (int i = 0; i < N; i++) {
            const T next = before + own[i];
            result[i] = before;
            before = next;
        }
    }
    template <typename F>
    SIMT_INLINE void scan(T value, T &result, const T *start, F change, T &total, sim_place place)
    {
        const unsigned own = simt::thread();
        values[own] = value;
        sim_barrier(place, "BlockScan", 0);
        total = values[0];
        T before = total; /* of those before this thread */
        for (unsigned i = 1; i < X * Y * Z; i++) {
            before = i == own ? total : before;
            total = change(total, values[i]);
        }
        if (!start)
            result = own == 0 ? value : change(before, value);
        else
            result = own == 0 ? *start : change(*start, before);
    }

  private:
    TempStorage &values;
};

/* Threads have consecutive elements, or every one that is as far as the block is wide. How they go through shared
 * memory does not show. */
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE };
constexpr BlockLoadAlgorithm BLOCK_LOAD_WARP_TRANSPOSE = BLOCK_LOAD_TRANSPOSE,
                             BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED = BLOCK_LOAD_TRANSPOSE;
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE };
constexpr BlockStoreAlgorithm BLOCK_STORE_WARP_TRANSPOSE = BLOCK_STORE_TRANSPOSE,
                              BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED = BLOCK_STORE_TRANSPOSE;

namespace simt_detail
{
template <int THREADS, int ITEMS>
SIMT_INLINE int place_of(int item, bool is_striped)
{
    return is_striped ? item * THREADS + (int)simt::thread() : (int)simt::thread() * ITEMS + item;
}
} // namespace simt_detail

template <typename T, int X, int ITEMS, BlockLoadAlgorithm HOW = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad : public simt_detail::without_storage
{
  public:
    using without_storage::without_storage;
    template <typename From>
    SIMT_INLINE void Load(From from, T (&items)[ITEMS], int valid = X * Y * Z * ITEMS)
    {
        for (int i = 0; i < ITEMS; i++) {
            const int at = simt_detail::place_of<X * Y * Z, ITEMS>(i, HOW == BLOCK_LOAD_STRIPED);
            if (at < valid)
                items[i] = from[at];
        }
    }
    template <typename From, typename Otherwise>
    SIMT_INLINE void Load(From from, T (&items)[ITEMS], int valid, Otherwise otherwise)
    {
        for (T &item : items)
            item = otherwise;
        Load(from, items, valid);
    }
};

template <typename T, int X, int ITEMS, BlockStoreAlgorithm HOW = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore : public simt_detail::without_storage
{
  public:
    using without_storage::without_storage;
    template <typename To>
    SIMT_INLINE void Store(To to, T (&items)[ITEMS], int valid = X * Y * Z * ITEMS)
    {
        for (int i = 0; i < ITEMS; i++) {
            const int at = simt_detail::place_of<X * Y * Z, ITEMS>(i, HOW == BLOCK_STORE_STRIPED);
            if (at < valid)
                to[at] = items[i];
        }
    }
};
} // namespace cub
