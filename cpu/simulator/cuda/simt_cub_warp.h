/* cub::WarpReduce and cub::WarpScan. */
#pragma once

#include "simt_lanes.h"

namespace cub
{
struct Sum {
    template <typename T>
    T operator()(const T &a, const T &b) const
    {
        return a + b;
    }
};

struct Max {
    template <typename T>
    T operator()(const T &a, const T &b) const
    {
        return a < b ? b : a;
    }
};

struct Min {
    template <typename T>
    T operator()(const T &a, const T &b) const
    {
        return b < a ? b : a;
    }
};

template <typename T, int LANES = SIM_WARP>
class WarpReduce
{
    static_assert(LANES >= 1 && LANES <= SIM_WARP, "1 to 32 lanes");

  public:
    struct TempStorage {
        char unused;
    };
    explicit WarpReduce(TempStorage &)
    {
    }
    /* For the first of its lanes; of the first `count` of them. */
    template <typename F>
    T Reduce(T value, F change, int count = LANES, SIMT_CALLER)
    {
        const unsigned lane = simt::lane(), first = lane / LANES * LANES;
        const unsigned lanes = (LANES == SIM_WARP ? ~0u : (1u << LANES % SIM_WARP) - 1) << first;
        const simt::gathered<T> all(lanes, value, "WarpReduce", {file, line});
        const unsigned some = count < (int)all.count ? (unsigned)count : all.count;
        return lane == first ? simt::joined(all, some, change) : value;
    }
    T Sum(T value, int count = LANES, SIMT_CALLER)
    {
        return Reduce(value, cub::Sum(), count, file, line);
    }
};

template <typename T, int LANES = SIM_WARP>
class WarpScan
{
    static_assert(LANES >= 1 && LANES <= SIM_WARP, "1 to 32 lanes");

  public:
    struct TempStorage {
        char unused;
    };
    explicit WarpScan(TempStorage &)
    {
    }
    template <typename F>
    void InclusiveScan(T value, T &result, F change, SIMT_CALLER)
    {
        const simt::gathered<T> all = gather(value, "WarpScan", {file, line});
        result = simt::joined(all, simt::lane() % LANES + 1, change);
    }
    template <typename F>
    void InclusiveScan(T value, T &result, F change, T &total, SIMT_CALLER)
    {
        const simt::gathered<T> all = gather(value, "WarpScan", {file, line});
        result = simt::joined(all, simt::lane() % LANES + 1, change);
        total = simt::joined(all, all.count, change);
    }
    template <typename F>
    void ExclusiveScan(T value, T &result, T start, F change, SIMT_CALLER)
    {
        const simt::gathered<T> all = gather(value, "WarpScan", {file, line});
        const unsigned before = simt::lane() % LANES;
        result = before == 0 ? start : change(start, simt::joined(all, before, change));
    }
    void InclusiveSum(T value, T &result, SIMT_CALLER)
    {
        InclusiveScan(value, result, cub::Sum(), file, line);
    }
    void InclusiveSum(T value, T &result, T &total, SIMT_CALLER)
    {
        InclusiveScan(value, result, cub::Sum(), total, file, line);
    }
    void ExclusiveSum(T value, T &result, SIMT_CALLER)
    {
        ExclusiveScan(value, result, T(), cub::Sum(), file, line);
    }
    T Broadcast(T value, unsigned lane, SIMT_CALLER)
    {
        return gather(value, "Broadcast", {file, line}).values[lane];
    }

  private:
    static simt::gathered<T> gather(T value, const char *operation, sim_place place)
    {
        const unsigned lanes = LANES == SIM_WARP ? ~0u : (1u << LANES % SIM_WARP) - 1;
        return simt::gathered<T>(lanes << simt::lane() / LANES * LANES, value, operation, place);
    }
};
} // namespace cub
