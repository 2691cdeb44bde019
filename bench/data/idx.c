#include "idx.h"

#include "bench/base/files.h"
#include "bench/base/memory.h"
#include "bench/base/plain_text.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { DATA_MAX = 1 << 30, IDX_TYPE_UNSIGNED_BYTE = 0x08, READ_BYTES = 1 << 20 };

static bool unpack_from(gzFile from, const char *path, uint8_t **data, size_t *bytes, struct error *error)
{
    int got = 1, status;
    size_t room = 0;
    for (*bytes = 0; got > 0; *bytes += got > 0 ? (size_t)got : 0) {
        if (*bytes == room) {
            room += room > 0 ? room : READ_BYTES;
            uint8_t *larger = room / 2 <= DATA_MAX ? realloc(*data, room) : NULL;
            if (!larger)
                return error_set(error, "%s: is too large, expected at most %d bytes, and memory for them", path,
                                 DATA_MAX);
            *data = larger;
        }
        got = gzread(from, *data + *bytes, (unsigned)(room - *bytes));
    }
    const char *message = gzerror(from, &status);
    return status == Z_OK || error_set(error, "%s: corrupt or truncated gzip data (%s)", path, message);
}

/* All of a file, plain or gzipped (RFC 1952), which zlib reads. */
static bool unpack(const char *path, uint8_t **data, size_t *bytes, struct error *error)
{
    const int fd = regular_file_open(path, path, error);
    if (fd < 0)
        return false;
    gzFile from = memory_have(gzdopen(fd, "r"));
    const bool ok = unpack_from(from, path, data, bytes, error);
    gzclose(from);
    return ok;
}

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
    *idx = (struct idx){.data = NULL};
    const bool ok = unpack(path, &idx->data, &bytes, error);
    if (ok)
        digest_of(idx->data, bytes, idx->digest);
    if (ok && parse(path, rank, idx->data, bytes, idx, error))
        return true;
    free(idx->data);
    return false;
}
