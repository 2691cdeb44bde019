/* Seeded random numbers with random access: element `index` of stream `seed` needs none of the elements before it. */
#pragma once

#include <stdint.h>

/* 64 random bits: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014)
 * started at `seed` and advanced `index` times. */
uint64_t seeded_bits(uint64_t seed, uint64_t index);

/* As seeded_bits(), with the text's 64-bit FNV-1a hash as the index (G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake and
 * T. Hansen, "The FNV Non-Cryptographic Hash Algorithm", draft-eastlake-fnv). */
uint64_t seeded_text_bits(uint64_t seed, const char *text);

/* Uniform in [-1, 1] and rounded to binary32, so that small numbers have all 24 bits too. */
float seeded_signed_unit(uint64_t seed, uint64_t index);

/* The seed of an independent stream for each `purpose`. */
uint64_t seeded_stream(uint64_t seed, uint64_t purpose);
