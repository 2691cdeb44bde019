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

/* As seeded_bits(), with the text's 64-bit FNV-1a hash as the index (G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake and
 * T. Hansen, "The FNV Non-Cryptographic Hash Algorithm", draft-eastlake-fnv). */
uint64_t seeded_text_bits(uint64_t seed, const char *text);

/* Uniform in [-1, 1] and rounded to binary32, so that small numbers have all 24 bits too. */
static inline float seeded_signed_unit(uint64_t seed, uint64_t index)
{
    return (float)((double)(seeded_bits(seed, index) >> 11) * 0x1p-52 - 1);
}

/* The seed of an independent stream for each `purpose`. */
uint64_t seeded_stream(uint64_t seed, uint64_t purpose);
