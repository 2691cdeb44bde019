/* Seeded random numbers with random access: element `index` of stream `seed` needs none of the elements before it. */
#pragma once

#include <stdint.h>

/* 64 random bits: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014)
 * started at `seed` and advanced `index` times. */
static inline uint64_t seeded_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* The seed of an independent stream for each `purpose`. */
static inline uint64_t seeded_stream(uint64_t seed, uint64_t purpose)
{
    return seeded_bits(seed ^ UINT64_C(0x6A09E667F3BCC909), purpose);
}
