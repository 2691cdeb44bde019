#include "idx.h"

#include "file_kind.h"
#include "zipped_file.h"

#include <stdlib.h>
#include <string.h>

enum { IDX_TYPE_UNSIGNED_BYTE = 0x08, DATA_MAX = 1 << 30 }; /* MNIST has 47 MB */

static uint32_t big_endian(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Reads exactly `bytes` bytes; the error for fewer says how many there were. */
static bool read_exactly(struct zipped_file *file, void *to, size_t bytes, const char *what, struct error *error)
{
    size_t got = 0;
    if (!zipped_file_read(file, to, bytes, &got, error))
        return false;
    return got == bytes ||
           error_set(error, "%s: truncated: %zu bytes of its %s, expected %zu", file->path, got, what, bytes);
}

/* The beginning of what is no IDX file of this kind. */
static bool refuse(struct zipped_file *file, int rank, const uint8_t magic[4], uint32_t expected, struct error *error)
{
    uint8_t start[FILE_KIND_BYTES];
    size_t got = 0;
    memcpy(start, magic, 4);
    if (!zipped_file_read(file, start + 4, sizeof start - 4, &got, error))
        return false;
    const char *kind = file_kind(start, 4 + got);
    return error_set(error, "%s: wrong magic number 0x%08x, expected 0x%08x (unsigned bytes, %d dimensions)%s%s",
                     file->path, big_endian(magic), expected, rank, kind ? ": it is " : "", kind ? kind : "");
}

static bool read_header(struct zipped_file *file, int rank, struct idx *idx, size_t *bytes, struct error *error)
{
    uint8_t magic[4];
    if (!read_exactly(file, magic, sizeof magic, "magic number", error))
        return false;
    uint32_t expected = (uint32_t)IDX_TYPE_UNSIGNED_BYTE << 8 | (uint32_t)rank;
    if (big_endian(magic) != expected)
        return refuse(file, rank, magic, expected, error);
    *bytes = 1;
    for (int i = 0; i < rank; i++) {
        uint8_t size[4];
        if (!read_exactly(file, size, sizeof size, "dimensions", error))
            return false;
        idx->size[i] = big_endian(size);
        if (idx->size[i] == 0)
            return error_set(error, "%s: dimension %d is 0, expected at least 1", file->path, i + 1);
        if (idx->size[i] > DATA_MAX / *bytes)
            return error_set(error, "%s: the dimensions' product exceeds %d bytes at dimension %d (%u)", file->path,
                             DATA_MAX, i + 1, idx->size[i]);
        *bytes *= idx->size[i];
    }
    return true;
}

/* Before there is memory for them. */
static bool may_hold(const struct zipped_file *file, int rank, size_t bytes, struct error *error)
{
    uint64_t most = file->most - (4 + 4 * (uint64_t)rank);
    return bytes <= most || error_set(error, "%s: truncated: it holds at most %llu bytes of its data, expected %zu",
                                      file->path, (unsigned long long)most, bytes);
}

static bool read_data(struct zipped_file *file, struct idx *idx, size_t bytes, struct error *error)
{
    uint8_t extra;
    size_t more = 0;
    idx->data = malloc(bytes);
    if (!idx->data)
        return error_set(error, "%s: no memory for its %zu bytes", file->path, bytes);
    if (!read_exactly(file, idx->data, bytes, "data", error) || !zipped_file_read(file, &extra, 1, &more, error))
        return false;
    if (more > 0)
        return error_set(error, "%s: more data than the %zu bytes that its dimensions say", file->path, bytes);
    return file->ended || error_set(error, "%s: truncated: its gzip checksum is missing", file->path);
}

bool idx_read(const char *path, int rank, struct idx *idx, struct error *error)
{
    struct zipped_file file;
    size_t bytes = 0;
    *idx = (struct idx){.rank = rank};
    if (!zipped_file_open(&file, path, error))
        return false;
    bool ok = read_header(&file, rank, idx, &bytes, error) && may_hold(&file, rank, bytes, error) &&
              read_data(&file, idx, bytes, error);
    bool has_digest = zipped_file_close(&file, idx->digest);
    if (ok && !has_digest)
        ok = error_set(error, "%s: libcrypto cannot compute its digest", path);
    if (!ok) {
        free(idx->data);
        idx->data = NULL;
    }
    return ok;
}
