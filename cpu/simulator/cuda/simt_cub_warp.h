/* cub::WarpReduce and cub::WarpScan. */
#pragma once

#include "simt_lanes.h"

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
} // namespace cub
