/* What threads do together: barriers, and votes and shuffles within a warp. */
#pragma once

#include "cpu/simulator/sim_thread.h"
#include "cpu/simulator/sim_together.h"

#include <cstdint>
#include <cstring>

constexpr int warpSize = SIM_WARP;

/* The last parameters of a function that kernels call: the place of the call. */
#define SIMT_CALLER const char *file = __builtin_FILE(), int line = __builtin_LINE()

static inline void __syncthreads(SIMT_CALLER)
{
    sim_barrier({file, line}, "__syncthreads", 0);
}

static inline int __syncthreads_count(int predicate, SIMT_CALLER)
{
    return sim_barrier({file, line}, "__syncthreads_count", predicate);
}

static inline int __syncthreads_or(int predicate, SIMT_CALLER)
{
    return sim_barrier({file, line}, "__syncthreads_or", predicate) != 0;
}

static inline int __syncthreads_and(int predicate, SIMT_CALLER)
{
    return sim_barrier({file, line}, "__syncthreads_and", predicate == 0) == 0;
}

static inline void __syncwarp(unsigned mask = 0xFFFFFFFFu, SIMT_CALLER)
{
    sim_warp_exchange({file, line}, "__syncwarp", mask, 0);
}

namespace simt
{
static inline unsigned lane()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % SIM_WARP;
}

static inline unsigned ballot(unsigned mask, int predicate, const char *operation, sim_place place)
{
    const uint64_t *heard = sim_warp_exchange(place, operation, mask, predicate != 0);
    unsigned votes = 0;
    for (unsigned i = 0; i < SIM_WARP; i++)
        if ((mask >> i & 1) != 0 && heard[i] == 1)
            votes |= 1u << i;
    return votes;
}

/* Returns the value of lane `from`, or this lane's own if there is no such lane. */
template <typename T>
T shuffle(unsigned mask, T value, int64_t from, int width, bool exists, const char *operation, sim_place place)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles take values of 4 or 8 bytes");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    if (width < 1 || width > SIM_WARP || (width & (width - 1)) != 0)
        sim_stop(place, "calls %s with the width %d, expected 1, 2, 4, 8, 16 or 32", operation, width);
    bits = sim_warp_shuffle(place, operation, mask, bits, exists ? (unsigned)from : lane());
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
} // namespace simt

static inline unsigned __ballot_sync(unsigned mask, int predicate, SIMT_CALLER)
{
    return simt::ballot(mask, predicate, "__ballot_sync", {file, line});
}

static inline int __any_sync(unsigned mask, int predicate, SIMT_CALLER)
{
    return simt::ballot(mask, predicate, "__any_sync", {file, line}) != 0;
}

static inline int __all_sync(unsigned mask, int predicate, SIMT_CALLER)
{
    return simt::ballot(mask, predicate == 0, "__all_sync", {file, line}) == 0;
}

template <typename T>
T __shfl_sync(unsigned mask, T value, int source, int width = SIM_WARP, SIMT_CALLER)
{
    int64_t first = simt::lane() & ~(unsigned)(width - 1);
    return simt::shuffle(mask, value, first + (source & (width - 1)), width, true, "__shfl_sync", {file, line});
}

template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = SIM_WARP, SIMT_CALLER)
{
    int64_t first = simt::lane() & ~(unsigned)(width - 1), from = (int64_t)simt::lane() - delta;
    return simt::shuffle(mask, value, from, width, from >= first, "__shfl_up_sync", {file, line});
}

template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = SIM_WARP, SIMT_CALLER)
{
    int64_t first = simt::lane() & ~(unsigned)(width - 1), from = (int64_t)simt::lane() + delta;
    return simt::shuffle(mask, value, from, width, from < first + width, "__shfl_down_sync", {file, line});
}

template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = SIM_WARP, SIMT_CALLER)
{
    int64_t end = (simt::lane() & ~(unsigned)(width - 1)) + (unsigned)width, from = simt::lane() ^ (unsigned)lane_mask;
    return simt::shuffle(mask, value, from, width, from < end, "__shfl_xor_sync", {file, line});
}
