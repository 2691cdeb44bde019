#include "content_key.h"

#include "bench/base/seeded.h"

#include <string.h>

uint64_t content_key_add(uint64_t key, const void *data, size_t bytes)
{
    uint64_t hash = key ^ UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001B3);
    return seeded_bits(hash, 0);
}

uint64_t content_key_add_text(uint64_t key, const char *text)
{
    return content_key_add(key, text, strlen(text) + 1);
}
