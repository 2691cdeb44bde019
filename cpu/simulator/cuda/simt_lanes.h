/* Values of any type that can be copied, between lanes of a warp. */
#pragma once

#include "simt_memory.h"
#include "simt_threads.h"

#include <cstring>
#include <type_traits>

namespace simt
{
SIMT_VALUE(unsigned, lanes_below, (unsigned mask, unsigned lane),
           (unsigned)__builtin_popcount(mask &((1u << lane) - 1)))

/* The lane with that rank in the mask. */
SIMT_PLAIN inline unsigned lane_of_rank(unsigned mask, unsigned rank)
{
    for (; rank > 0; rank--)
        mask &= mask - 1;
    return mask == 0 ? lane() : (unsigned)__builtin_ctz(mask);
}

/* Lanes that are there and have not ended. */
SIMT_PLAIN inline unsigned present(unsigned mask)
{
    const unsigned left = threads() - thread() / SIM_WARP * SIM_WARP;
    return left >= SIM_WARP ? mask : mask & ((1u << left) - 1);
}

/* Those of all lanes of the mask, by their ranks. */
template <typename T>
struct gathered {
    unsigned count;
    T values[SIM_WARP];

    SIMT_PLAIN gathered(unsigned mask, const T &value, const char *operation, sim_place place) : count(0)
    {
        static_assert(std::is_trivially_copyable<T>::value, "values that go between lanes are copied as bytes");
        unsigned char *to = reinterpret_cast<unsigned char *>(values);
        const unsigned lanes = present(mask);
        for (size_t at = 0; at < sizeof value; at += 8) {
            const size_t size = sizeof value - at < 8 ? sizeof value - at : 8;
            uint64_t part = 0;
            std::memcpy(&part, reinterpret_cast<const unsigned char *>(&value) + at, size);
            const uint64_t *heard = sim_warp_exchange(place, operation, mask, part);
            count = 0;
            for (unsigned i = 0; i < SIM_WARP; i++)
                if ((lanes >> i & 1) != 0)
                    std::memcpy(to + count++ * sizeof value + at, &heard[i], size);
        }
    }
};

/* The first `count` of them, as `change` joins two. */
template <typename T, typename F>
SIMT_PLAIN T joined(const gathered<T> &all, unsigned count, F change)
{
    T sum = all.values[0];
    for (unsigned i = 1; i < count; i++)
        sum = change(sum, all.values[i]);
    return sum;
}
} // namespace simt
