#include "seeded.h"

uint64_t seeded_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

uint64_t seeded_text_bits(uint64_t seed, const char *text)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    return seeded_bits(seed, hash);
}

float seeded_signed_unit(uint64_t seed, uint64_t index)
{
    return (float)((double)(seeded_bits(seed, index) >> 11) * 0x1p-52 - 1);
}

uint64_t seeded_stream(uint64_t seed, uint64_t purpose)
{
    return seeded_bits(seed ^ UINT64_C(0x6A09E667F3BCC909), purpose);
}
