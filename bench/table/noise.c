#include "noise.h"

#include <string.h>

static inline void fill_words(unsigned char *to, size_t words, uint64_t seed, size_t first)
{
    for (size_t i = 0; i < words; i++) {
        uint32_t word = noise_word(seed, first + i);
        memcpy(to + 4 * i, &word, 4);
    }
}

/* A loop per kind, since compilers do not take the switch of noise_word() out of it. */
void noise_fill(void *to, size_t bytes, uint64_t seed, size_t first)
{
    unsigned char *byte = to;
    switch (seed % 8) {
    case NOISE_BITS: fill_words(to, bytes / 4, noise_seed(seed, NOISE_BITS), first / 4); break;
    case NOISE_FLOATS: fill_words(to, bytes / 4, noise_seed(seed, NOISE_FLOATS), first / 4); break;
    default: fill_words(to, bytes / 4, seed, first / 4); break;
    }
    uint32_t last = noise_word(seed, first / 4 + bytes / 4);
    memcpy(byte + bytes / 4 * 4, &last, bytes % 4);
}
