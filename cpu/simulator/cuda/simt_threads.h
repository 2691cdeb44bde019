/* What threads do together: barriers, and votes and shuffles within a warp. */
#pragma once

#include "cpu/simulator/sim_thread.h"
#include "cpu/simulator/sim_together.h"
#include "simt_plain.h"

#include <cstdint>
#include <cstring>
#include <time.h>
#include <type_traits>

constexpr int warpSize = SIM_WARP;

/* The last parameters of a function that kernels call: the place of the call. */
#define SIMT_CALLER const char *file = __builtin_FILE(), int line = __builtin_LINE()

SIMT_RETURNS(void, __syncthreads, (SIMT_CALLER), (void)sim_barrier({file, line}, "__syncthreads", 0))
SIMT_RETURNS(int, __syncthreads_count, (int predicate, SIMT_CALLER),
             sim_barrier({file, line}, "__syncthreads_count", predicate))
SIMT_RETURNS(int, __syncthreads_or, (int predicate, SIMT_CALLER),
             sim_barrier({file, line}, "__syncthreads_or", predicate) != 0)
SIMT_RETURNS(int, __syncthreads_and, (int predicate, SIMT_CALLER),
             sim_barrier({file, line}, "__syncthreads_and", predicate == 0) == 0)
SIMT_RETURNS(void, __syncwarp, (unsigned mask = 0xFFFFFFFFu, SIMT_CALLER),
             (void)sim_warp_exchange({file, line}, "__syncwarp", mask, 0))

namespace simt
{
SIMT_RETURNS(unsigned, thread, (), threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))
SIMT_RETURNS(unsigned, lane, (), thread() % SIM_WARP)
SIMT_RETURNS(unsigned, threads, (), blockDim.x *blockDim.y *blockDim.z)

static inline unsigned ballot(unsigned mask, int predicate, const char *operation, sim_place place)
{
    const uint64_t *heard = sim_warp_exchange(place, operation, mask, predicate != 0);
    unsigned votes = 0;
    for (unsigned i = 0; i < SIM_WARP; i++)
        if ((mask >> i & 1) != 0 && heard[i] == 1)
            votes |= 1u << i;
    return votes;
}

/* What lanes can give each other: numbers; smaller ones as int. */
template <typename T>
using lane_value =
    std::enable_if_t<std::is_arithmetic_v<T> && sizeof(T) <= 8, std::conditional_t<(sizeof(T) < 4), int, T>>;

/* The value of another lane, 8 bytes at a time. */
template <typename T>
SIMT_PLAIN T value_from(unsigned mask, T value, unsigned from, const char *operation, sim_place place)
{
    static_assert(std::is_trivially_copyable_v<T>, "values that go between lanes are copied as bytes");
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof value);
    for (size_t at = 0; at < sizeof value; at += 8) {
        const size_t size = sizeof value - at < 8 ? sizeof value - at : 8;
        uint64_t part = 0;
        std::memcpy(&part, bytes + at, size);
        part = sim_warp_shuffle(place, operation, mask, part, from);
        std::memcpy(bytes + at, &part, size);
    }
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

/* That of lane `from`, or this lane's own if there is no such lane. */
template <typename T>
T shuffle(unsigned mask, T value, int64_t from, int width, bool exists, const char *operation, sim_place place)
{
    if (width < 1 || width > SIM_WARP || (width & (width - 1)) != 0)
        sim_stop(place, "calls %s with the width %d, expected 1, 2, 4, 8, 16 or 32", operation, width);
    return value_from(mask, value, exists ? (unsigned)from : lane(), operation, place);
}
} // namespace simt

SIMT_RETURNS(unsigned, __ballot_sync, (unsigned mask, int predicate, SIMT_CALLER),
             simt::ballot(mask, predicate, "__ballot_sync", {file, line}))
SIMT_RETURNS(int, __any_sync, (unsigned mask, int predicate, SIMT_CALLER),
             simt::ballot(mask, predicate, "__any_sync", {file, line}) != 0)
SIMT_RETURNS(int, __all_sync, (unsigned mask, int predicate, SIMT_CALLER),
             simt::ballot(mask, predicate == 0, "__all_sync", {file, line}) == 0)

/* From which lane, and whether that is in the part of the warp that `width` cuts out, which begins with `first`. */
#define SIMT_SHFL(name, H, its_lane, exists)                                            \
    template <typename T, typename R = simt::lane_value<T>>                             \
    R name(unsigned mask, T value, H how, int width = SIM_WARP, SIMT_CALLER)            \
    {                                                                                   \
        const int64_t own = simt::lane(), first = own & -width, from = its_lane;        \
        return simt::shuffle<R>(mask, value, from, width, exists, #name, {file, line}); \
    }
SIMT_SHFL(__shfl_sync, int, first + (how & (width - 1)), true)
SIMT_SHFL(__shfl_up_sync, unsigned, own - how, from >= first)
SIMT_SHFL(__shfl_down_sync, unsigned, own + how, from < first + width)
SIMT_SHFL(__shfl_xor_sync, int, own ^ (unsigned)how, from < first + width)

namespace simt
{
/* Calls `each` for the lanes of the mask that are there, with the bits that they brought. */
template <typename T, typename F>
void with_lanes(unsigned mask, T value, const char *operation, sim_place place, F each)
{
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    const unsigned there = ballot(mask, 1, operation, place);
    const uint64_t *heard = sim_warp_exchange(place, operation, mask, bits);
    for (unsigned i = 0; i < SIM_WARP; i++)
        if ((there >> i & 1) != 0)
            each(1u << i, heard[i]);
}

/* The lanes that brought the same bits; `others` becomes those that brought other ones. */
template <typename T>
unsigned matching(unsigned mask, T value, unsigned *others, const char *operation, sim_place place)
{
    uint64_t own = 0;
    unsigned same = 0;
    std::memcpy(&own, &value, sizeof value);
    *others = 0;
    with_lanes(mask, value, operation, place,
               [&](unsigned lane, uint64_t bits) { (bits == own ? same : *others) |= lane; });
    return same;
}
} // namespace simt

template <typename T, typename R = simt::lane_value<T>>
unsigned __match_any_sync(unsigned mask, T value, SIMT_CALLER)
{
    unsigned others;
    return simt::matching<R>(mask, value, &others, "__match_any_sync", {file, line});
}

template <typename T, typename R = simt::lane_value<T>>
unsigned __match_all_sync(unsigned mask, T value, int *all, SIMT_CALLER)
{
    unsigned others;
    (void)simt::matching<R>(mask, value, &others, "__match_all_sync", {file, line});
    *all = others == 0;
    return *all ? mask : 0;
}

#define SIMT_REDUCE(name, T, change)                                                      \
    inline T name(unsigned mask, T value, SIMT_CALLER)                                    \
    {                                                                                     \
        bool is_first = true;                                                             \
        T result = 0;                                                                     \
        simt::with_lanes(mask, value, #name, {file, line}, [&](unsigned, uint64_t bits) { \
            const T other = (T)bits;                                                      \
            result = is_first ? other : (T)(change);                                      \
            is_first = false;                                                             \
        });                                                                               \
        return result;                                                                    \
    }
SIMT_REDUCE(__reduce_add_sync, unsigned, result + other)
SIMT_REDUCE(__reduce_add_sync, int, (unsigned)result + (unsigned)other)
SIMT_REDUCE(__reduce_min_sync, unsigned, other < result ? other : result)
SIMT_REDUCE(__reduce_min_sync, int, other < result ? other : result)
SIMT_REDUCE(__reduce_max_sync, unsigned, result < other ? other : result)
SIMT_REDUCE(__reduce_max_sync, int, result < other ? other : result)
SIMT_REDUCE(__reduce_and_sync, unsigned, result &other)
SIMT_REDUCE(__reduce_or_sync, unsigned, result | other)
SIMT_REDUCE(__reduce_xor_sync, unsigned, result ^ other)

SIMT_RETURNS(unsigned, __activemask, (SIMT_CALLER), sim_warp_active({file, line}))

/* Others run meanwhile. */
SIMT_RETURNS(void, __nanosleep, (unsigned), sim_pause())
SIMT_RETURNS(void, __trap, (SIMT_CALLER), sim_stop({file, line}, "calls __trap()"))
SIMT_RETURNS(void, __brkpt, (SIMT_CALLER), sim_stop({file, line}, "calls __brkpt()"))

SIMT_RETURNS(void, __prof_trigger, (int), void())

inline long long clock64()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}
