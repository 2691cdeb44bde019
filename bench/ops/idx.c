#include "idx.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { IDX_TYPE_UNSIGNED_BYTE = 0x08, GZREAD_CHUNK = 1 << 30 };

/* Largest data size accepted: far above MNIST's 47 MB, and small enough that a corrupt header cannot exhaust memory. */
static const uint64_t data_limit = UINT64_C(4) << 30;

static uint32_t big_endian(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Reads exactly `bytes` bytes; the error for fewer says how many there were. */
static bool read_exactly(gzFile file, const char *path, void *to, size_t bytes, const char *what, struct error *error)
{
    size_t done = 0;
    while (done < bytes) {
        size_t rest = bytes - done;
        int got = gzread(file, (uint8_t *)to + done, rest < GZREAD_CHUNK ? (unsigned)rest : GZREAD_CHUNK);
        if (got > 0) {
            done += (size_t)got;
            continue;
        }
        int status;
        const char *text = gzerror(file, &status);
        if (status == Z_ERRNO)
            return error_set(error, "%s: %s", path, strerror(errno));
        if (status != Z_OK && status != Z_BUF_ERROR)
            return error_set(error, "%s: corrupt gzip data (%s)", path, text);
        return error_set(error, "%s: truncated: %zu bytes of its %s, expected %zu", path, done, what, bytes);
    }
    return true;
}

static bool read_header(gzFile file, const char *path, int rank, struct idx *idx, size_t *bytes, struct error *error)
{
    uint8_t magic[4];
    if (!read_exactly(file, path, magic, sizeof magic, "magic number", error))
        return false;
    uint32_t expected = (uint32_t)IDX_TYPE_UNSIGNED_BYTE << 8 | (uint32_t)rank;
    if (big_endian(magic) != expected)
        return error_set(error, "%s: wrong magic number 0x%08x, expected 0x%08x (unsigned bytes, %d dimensions)", path,
                         big_endian(magic), expected, rank);
    uint64_t product = 1;
    for (int i = 0; i < rank; i++) {
        uint8_t size[4];
        if (!read_exactly(file, path, size, sizeof size, "dimensions", error))
            return false;
        idx->size[i] = big_endian(size);
        if (idx->size[i] == 0)
            return error_set(error, "%s: dimension %d is 0, expected at least 1", path, i + 1);
        if (idx->size[i] > data_limit / product)
            return error_set(error, "%s: the dimensions' product exceeds %llu bytes at dimension %d (%u)", path,
                             (unsigned long long)data_limit, i + 1, idx->size[i]);
        product *= idx->size[i];
    }
    *bytes = (size_t)product;
    return true;
}

static bool read_data(gzFile file, const char *path, struct idx *idx, size_t bytes, struct error *error)
{
    idx->data = malloc(bytes);
    if (!idx->data)
        return error_set(error, "%s: no memory for its %zu bytes", path, bytes);
    if (!read_exactly(file, path, idx->data, bytes, "data", error))
        return false;
    uint8_t extra;
    int more = gzread(file, &extra, 1); /* also makes zlib check the checksum */
    if (more > 0)
        return error_set(error, "%s: more data than the %zu bytes that its dimensions say", path, bytes);
    return more == 0 || error_set(error, "%s: corrupt gzip data (checksum)", path);
}

bool idx_read(const char *path, int rank, struct idx *idx, struct error *error)
{
    *idx = (struct idx){.rank = rank};
    errno = 0;
    gzFile file = gzopen(path, "rb"); /* also reads uncompressed files */
    if (!file)
        return error_set(error, "%s: %s", path, errno ? strerror(errno) : "no memory");
    size_t bytes = 0;
    bool ok = read_header(file, path, rank, idx, &bytes, error) && read_data(file, path, idx, bytes, error);
    int closed = gzclose(file);
    if (ok && closed != Z_OK)
        ok = error_set(error, "%s: corrupt gzip data (checksum)", path);
    if (!ok) {
        free(idx->data);
        idx->data = NULL;
    }
    return ok;
}
