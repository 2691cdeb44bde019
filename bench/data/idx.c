#include "idx.h"

#include "bench/base/files.h"
#include "bench/base/plain_text.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

enum { DATA_MAX = 1 << 30, IDX_TYPE_UNSIGNED_BYTE = 0x08 };

/* A file, plain or gzipped (RFC 1952), which zlib reads. */
struct input {
    const char *path;
    gzFile from;
    struct digest digest; /* of what has been read */
};

static bool read_next(struct input *input, void *to, size_t bytes, const char *what, struct error *error)
{
    int status;
    const int got = gzread(input->from, to, (unsigned)bytes);
    const char *message = gzerror(input->from, &status);
    if (status < 0 && status != Z_BUF_ERROR) /* which says that the end is missing */
        return error_set(error, "%s: corrupt gzip data (%s)", input->path, message);
    if ((size_t)got < bytes)
        return error_set(error, "%s: truncated: %d bytes of its %s, expected %zu", input->path, got, what, bytes);
    digest_add(&input->digest, to, bytes);
    return true;
}

static bool read_sizes(struct input *input, int rank, struct idx *idx, size_t *bytes, struct error *error)
{
    *bytes = 1;
    for (int i = 0; i < rank; i++) {
        uint32_t size;
        if (!read_next(input, &size, sizeof size, "dimensions", error))
            return false;
        idx->size[i] = size = ntohl(size);
        if (size == 0)
            return error_set(error, "%s: dimension %d is 0, expected at least 1", input->path, i + 1);
        if (size > DATA_MAX / *bytes)
            return error_set(error, "%s: the dimensions' product exceeds %d bytes at dimension %d (%u)", input->path,
                             DATA_MAX, i + 1, size);
        *bytes *= size;
    }
    return true;
}

static bool read_magic(struct input *input, int rank, struct error *error)
{
    const uint32_t expected = (uint32_t)IDX_TYPE_UNSIGNED_BYTE << 8 | (uint32_t)rank;
    uint32_t magic;
    char start[sizeof magic + 1];
    if (!read_next(input, &magic, sizeof magic, "magic number", error))
        return false;
    plain_text_of_bytes(start, sizeof start, &magic, sizeof magic);
    return ntohl(magic) == expected ||
           error_set(
               error,
               "%s: wrong magic number 0x%08x, expected 0x%08x (unsigned bytes, %d dimensions): it begins with '%s'",
               input->path, ntohl(magic), expected, rank, start);
}

/* What follows the data can only be the checksum. */
static bool read_end(struct input *input, size_t bytes, struct error *error)
{
    char more;
    int status;
    const int got = gzread(input->from, &more, 1);
    const char *message = gzerror(input->from, &status);
    if (got > 0)
        return error_set(error, "%s: more data than the %zu bytes that its dimensions say", input->path, bytes);
    if (status == Z_BUF_ERROR)
        return error_set(error, "%s: truncated: its gzip checksum is missing", input->path);
    return status >= 0 || error_set(error, "%s: corrupt gzip data (%s)", input->path, message);
}

static bool read_all(struct input *input, int rank, struct idx *idx, struct error *error)
{
    size_t bytes;
    if (!read_magic(input, rank, error) || !read_sizes(input, rank, idx, &bytes, error))
        return false;
    idx->data = malloc(bytes);
    if (!idx->data)
        return error_set(error, "%s: no memory for its %zu bytes", input->path, bytes);
    return read_next(input, idx->data, bytes, "data", error) && read_end(input, bytes, error);
}

bool idx_read(const char *path, int rank, struct idx *idx, struct error *error)
{
    struct input input = {.path = path};
    const int fd = regular_file_open(path, path, error);
    *idx = (struct idx){.data = NULL};
    if (fd < 0)
        return false;
    input.from = gzdopen(fd, "r");
    if (!input.from) {
        close(fd);
        return error_set(error, "%s: no memory to unpack it", path);
    }
    digest_start(&input.digest);
    const bool ok = read_all(&input, rank, idx, error);
    digest_finish(&input.digest, idx->digest);
    gzclose(input.from);
    if (!ok)
        free(idx->data);
    return ok;
}
