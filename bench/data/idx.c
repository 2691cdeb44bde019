#include "idx.h"

#include "bench/base/files.h"
#include "file_kind.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { DATA_MAX = 1 << 30, FILE_MAX = DATA_MAX + DATA_MAX / 64 /* what cannot be packed becomes a little larger */ };
enum { IDX_TYPE_UNSIGNED_BYTE = 0x08, WORD = 4 };

/* A file in memory, plain or gzipped (RFC 1952). */
struct file {
    const char *path;
    char *bytes; /* with a zero behind them */
    size_t count;
    bool zipped;
    size_t got; /* by the last read_start() */
    bool ended; /* there was no more, and the checksum was right */
};

static size_t header_bytes(int rank)
{
    return (1 + (size_t)rank) * WORD;
}

static bool unpack(struct file *file, void *to, size_t most, struct error *error)
{
    enum { GZIP_ONLY = 16 };
    z_stream stream = {.next_in = (Bytef *)file->bytes, .avail_in = (uInt)file->count};
    if (inflateInit2(&stream, GZIP_ONLY + MAX_WBITS) != Z_OK)
        return error_set(error, "%s: no memory to unpack it", file->path);
    stream.next_out = to;
    stream.avail_out = (uInt)most;
    int status = Z_OK, members = 0; /* gzipped files may be joined */
    while (status >= Z_OK && stream.avail_in > 0 && stream.avail_out > 0) {
        status = inflate(&stream, Z_NO_FLUSH);
        if (status == Z_STREAM_END) {
            inflateReset(&stream);
            members++;
        }
    }
    inflateEnd(&stream);
    file->got = most - stream.avail_out;
    file->ended = status == Z_STREAM_END;
    return status >= Z_OK || error_set(error, "%s: corrupt gzip data (%s%s)", file->path,
                                       members > 0 ? "after its end: " : "", stream.msg ? stream.msg : zError(status));
}

/* Reads what the file holds from its start: `most` bytes, or as many as there are. False: it is corrupt. */
static bool read_start(struct file *file, void *to, size_t most, struct error *error)
{
    if (file->zipped)
        return unpack(file, to, most, error);
    file->got = file->count < most ? file->count : most;
    file->ended = true;
    memcpy(to, file->bytes, file->got);
    return true;
}

static bool truncated(const struct file *file, size_t got, const char *what, size_t expected, struct error *error)
{
    return error_set(error, "%s: truncated: %zu bytes of its %s, expected %zu", file->path, got, what, expected);
}

static bool read_sizes(const struct file *file, const uint32_t *words, int rank, struct idx *idx, size_t *bytes,
                       struct error *error)
{
    *bytes = 1;
    for (int i = 0; i < rank; i++) {
        const size_t before = header_bytes(i);
        const uint32_t size = idx->size[i] = ntohl(words[i]);
        if (file->got < before + WORD)
            return truncated(file, file->got - before, "dimensions", WORD, error);
        if (size == 0)
            return error_set(error, "%s: dimension %d is 0, expected at least 1", file->path, i + 1);
        if (size > DATA_MAX / *bytes)
            return error_set(error, "%s: the dimensions' product exceeds %d bytes at dimension %d (%u)", file->path,
                             DATA_MAX, i + 1, size);
        *bytes *= size;
    }
    return true;
}

/* What is no IDX file of this kind, by how it begins. */
static bool refuse(struct file *file, int rank, uint32_t magic, uint32_t expected, struct error *error)
{
    char start[FILE_KIND_BYTES + 1] = "";
    if (!read_start(file, start, FILE_KIND_BYTES, error))
        return false;
    const char *kind = file_kind(start, file->got);
    return error_set(error, "%s: wrong magic number 0x%08x, expected 0x%08x (unsigned bytes, %d dimensions)%s%s",
                     file->path, magic, expected, rank, kind ? ": it is " : "", kind ? kind : "");
}

static bool read_header(struct file *file, int rank, struct idx *idx, size_t *bytes, struct error *error)
{
    const uint32_t expected = (uint32_t)IDX_TYPE_UNSIGNED_BYTE << 8 | (uint32_t)rank;
    uint32_t words[1 + IDX_RANK_MAX] = {0};
    if (!read_start(file, words, header_bytes(rank), error))
        return false;
    if (file->got < WORD)
        return truncated(file, file->got, "magic number", WORD, error);
    if (ntohl(words[0]) != expected)
        return refuse(file, rank, ntohl(words[0]), expected, error);
    return read_sizes(file, words + 1, rank, idx, bytes, error);
}

/* The header and the data behind it, for which there is memory once it is known that the file can hold them. */
static bool read_data(struct file *file, size_t header, size_t bytes, struct idx *idx, struct error *error)
{
    enum { DEFLATE_RATIO_MAX = 1032 };
    const uint64_t most = (uint64_t)file->count * (file->zipped ? DEFLATE_RATIO_MAX : 1) - header;
    if (bytes > most)
        return error_set(error, "%s: truncated: it holds at most %llu bytes of its data, expected %zu", file->path,
                         (unsigned long long)most, bytes);
    idx->data = malloc(header + bytes + 1);
    if (!idx->data)
        return error_set(error, "%s: no memory for its %zu bytes", file->path, bytes);
    if (!read_start(file, idx->data, header + bytes + 1, error))
        return false;
    if (file->got < header + bytes)
        return truncated(file, file->got - header, "data", bytes, error);
    if (file->got > header + bytes)
        return error_set(error, "%s: more data than the %zu bytes that its dimensions say", file->path, bytes);
    return file->ended || error_set(error, "%s: truncated: its gzip checksum is missing", file->path);
}

bool idx_read(const char *path, int rank, struct idx *idx, struct error *error)
{
    struct file file = {.path = path};
    const size_t header = header_bytes(rank);
    size_t bytes = 0;
    *idx = (struct idx){.data = NULL};
    file.bytes = regular_file_read(path, path, FILE_MAX, &file.count, error);
    if (!file.bytes)
        return false;
    file.zipped = strncmp(file.bytes, "\x1f\x8b", 2) == 0;
    bool ok = read_header(&file, rank, idx, &bytes, error) && read_data(&file, header, bytes, idx, error) &&
              (digest_of(idx->data, header + bytes, idx->digest) ||
               error_set(error, "%s: libcrypto cannot compute its digest", path));
    free(file.bytes);
    if (ok)
        memmove(idx->data, idx->data + header, bytes);
    else
        free(idx->data);
    return ok;
}
