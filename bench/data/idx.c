#include "idx.h"

#include "bench/base/files.h"
#include "bench/base/plain_text.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum { DATA_MAX = 1 << 30, IDX_TYPE_UNSIGNED_BYTE = 0x08 };

/* What the header says must be what is there. The data move to the front. */
static bool parse(const char *path, int rank, uint8_t *file, size_t bytes, struct idx *idx, struct error *error)
{
    const size_t header = sizeof(uint32_t) * (size_t)(1 + rank), data = bytes > header ? bytes - header : 0;
    const uint32_t expected = (uint32_t)IDX_TYPE_UNSIGNED_BYTE << 8 | (uint32_t)rank;
    uint32_t words[1 + IDX_RANK_MAX] = {0};
    double product = 1;
    char start[sizeof expected + 1];
    memcpy(words, file, bytes < header ? bytes : header);
    plain_text_of_bytes(start, sizeof start, file, bytes);
    if (ntohl(words[0]) != expected)
        return error_set(
            error,
            "%s: wrong magic number 0x%08x, expected 0x%08x (unsigned bytes, %d dimensions): it begins with '%s'", path,
            ntohl(words[0]), expected, rank, start);
    for (int i = 0; i < rank; i++)
        product *= idx->size[i] = ntohl(words[1 + i]);
    memmove(file, file + header, data);
    return (data > 0 && (double)data == product) ||
           error_set(error, "%s: has %zu bytes of data, expected the product of its dimensions, %.0f, and at least 1",
                     path, data, product);
}

bool idx_read(const char *path, int rank, struct idx *idx, struct error *error)
{
    size_t bytes;
    *idx = (struct idx){.data = (uint8_t *)regular_file_unpack(path, path, DATA_MAX, &bytes, error)};
    if (idx->data)
        digest_of(idx->data, bytes, idx->digest);
    if (idx->data && parse(path, rank, idx->data, bytes, idx, error))
        return true;
    free(idx->data);
    return false;
}
