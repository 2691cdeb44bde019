#include "seeded.h"

uint64_t seeded_text_bits(uint64_t seed, const char *text)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    return seeded_bits(seed, hash);
}

uint64_t seeded_stream(uint64_t seed, uint64_t purpose)
{
    return seeded_bits(seed ^ UINT64_C(0x6A09E667F3BCC909), purpose);
}
