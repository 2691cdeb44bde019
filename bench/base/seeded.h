/* Seeded random numbers by position: element `index` of stream `seed` does not depend on the elements before it. */
#ifndef RUNGBENCH_SEEDED_H
#define RUNGBENCH_SEEDED_H

#include <stdint.h>

/* 64 random bits: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014)
 * started at `seed` and advanced `index` times. */
uint64_t seeded_bits(uint64_t seed, uint64_t index);

/* The same for a text in place of the index: of its FNV-1a hash of 64 bits (G. Fowler, L. C. Noll, K.-P. Vo,
 * D. Eastlake and T. Hansen, "The FNV Non-Cryptographic Hash Algorithm", draft-eastlake-fnv). */
uint64_t seeded_text_bits(uint64_t seed, const char *text);

/* Uniform in [-1, 1), a multiple of 2^-23, so that it is exact in binary32. */
float seeded_signed_unit(uint64_t seed, uint64_t index);

/* A seed for an independent stream, for each `purpose`. */
uint64_t seeded_stream(uint64_t seed, uint64_t purpose);

#endif
