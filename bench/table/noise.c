#include "noise.h"

#include <string.h>

void noise_fill(void *to, size_t bytes, uint64_t seed, size_t first)
{
    unsigned char *byte = to;
    for (size_t i = 0; i < bytes / 4; i++) {
        uint32_t word = noise_word(seed, first / 4 + i);
        memcpy(byte + 4 * i, &word, 4);
    }
    uint32_t last = noise_word(seed, first / 4 + bytes / 4);
    memcpy(byte + bytes / 4 * 4, &last, bytes % 4);
}
