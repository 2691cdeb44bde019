/* What fills memory so that a rung cannot know what is there: words that depend on a seed and on where they lie. The
 * host can tell each byte of a piece that a backend filled. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define NOISE_RULE static __host__ __device__ inline
#else
#define NOISE_RULE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The last three bits of a seed choose what the words are like. */
enum noise_kind {
    NOISE_BITS,   /* random bits */
    NOISE_FLOATS, /* random floats of either sign, from 2^-4 to 2^4, as an answer might have them */
    NOISE_BYTE,   /* one random byte everywhere */
    NOISE_ZEROS,
    NOISE_ONES, /* all bits are 1: NaN in FP32 */
    NOISE_KINDS,
};

NOISE_RULE uint64_t noise_seed(uint64_t random, enum noise_kind kind)
{
    return random / 8 * 8 + (uint64_t)kind;
}

NOISE_RULE uint32_t noise_mixed(uint32_t x) /* the finisher of MurmurHash3 */
{
    x = (x ^ x >> 16) * UINT32_C(0x85EBCA6B);
    x = (x ^ x >> 13) * UINT32_C(0xC2B2AE35);
    return x ^ x >> 16;
}

/* Bytes 4 * index to 4 * index + 3 of the memory, as they lie there. */
NOISE_RULE uint32_t noise_word(uint64_t seed, uint64_t index)
{
    uint32_t low = (uint32_t)seed, high = (uint32_t)(seed >> 32);
    uint32_t bits = noise_mixed(noise_mixed((uint32_t)index + low) + high + (uint32_t)(index >> 32));
    switch (seed % 8) {
    case NOISE_FLOATS: return (bits & UINT32_C(0x807FFFFF)) | (UINT32_C(123) + (bits >> 23) % 8) << 23;
    case NOISE_BYTE: return (high & UINT32_C(0xFF)) * UINT32_C(0x01010101);
    case NOISE_ZEROS: return 0;
    case NOISE_ONES: return UINT32_MAX;
    default: return bits;
    }
}

/* Writes that noise to the host's memory: its bytes from number `first` on, a multiple of 4. */
void noise_fill(void *to, size_t bytes, uint64_t seed, size_t first);

#ifdef __cplusplus
}
#endif
