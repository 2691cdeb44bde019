#include "zipped_file.h"

#include "bench/base/files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* False: reading failed. Without input afterwards, the file is at its end. */
static bool refill(struct zipped_file *file, struct error *error)
{
    ssize_t got;
    do
        got = read(file->fd, file->input, sizeof file->input);
    while (got < 0 && errno == EINTR);
    file->stream.next_in = file->input;
    file->stream.avail_in = got > 0 ? (uInt)got : 0;
    return got >= 0 || error_set(error, "%s: cannot be read (%s)", file->path, strerror(errno));
}

static bool begin(struct zipped_file *file, struct error *error)
{
    enum { DEFLATE_RATIO_MAX = 1032, GZIP_ONLY = 16 };
    struct stat status;
    if (fstat(file->fd, &status) != 0 || !refill(file, error))
        return error_set(error, "%s: cannot be read (%s)", file->path, strerror(errno));
    file->zipped = file->stream.avail_in >= 2 && memcmp(file->input, "\x1f\x8b", 2) == 0;
    file->ended = !file->zipped;
    file->most = (uint64_t)status.st_size * (file->zipped ? DEFLATE_RATIO_MAX : 1);
    return !file->zipped || inflateInit2(&file->stream, GZIP_ONLY + MAX_WBITS) == Z_OK ||
           error_set(error, "%s: no memory to unpack it", file->path);
}

bool zipped_file_open(struct zipped_file *file, const char *path, struct error *error)
{
    *file = (struct zipped_file){.path = path, .fd = regular_file_open(path, path, error)};
    if (file->fd < 0)
        return false;
    bool ok = begin(file, error);
    if (ok)
        digest_start(&file->digest);
    else
        close(file->fd);
    return ok;
}

static void copy(z_stream *stream)
{
    uInt bytes = stream->avail_in < stream->avail_out ? stream->avail_in : stream->avail_out;
    memcpy(stream->next_out, stream->next_in, bytes);
    stream->next_in += bytes;
    stream->avail_in -= bytes;
    stream->next_out += bytes;
    stream->avail_out -= bytes;
}

static bool unpack(struct zipped_file *file, struct error *error)
{
    if (file->ended && inflateReset(&file->stream) != Z_OK)
        return error_set(error, "%s: cannot be unpacked", file->path);
    file->ended = false;
    int status = inflate(&file->stream, Z_NO_FLUSH);
    file->ended = status == Z_STREAM_END;
    file->has_ended = file->has_ended || file->ended;
    if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR)
        return true;
    return error_set(error, "%s: corrupt gzip data (%s%s)", file->path, file->has_ended ? "after its end: " : "",
                     file->stream.msg ? file->stream.msg : zError(status));
}

bool zipped_file_read(struct zipped_file *file, void *to, size_t bytes, size_t *got, struct error *error)
{
    z_stream *stream = &file->stream;
    stream->next_out = to;
    stream->avail_out = (uInt)bytes;
    while (stream->avail_out > 0) {
        if (stream->avail_in == 0 && !refill(file, error))
            return false;
        if (stream->avail_in == 0)
            break;
        if (!file->zipped)
            copy(stream);
        else if (!unpack(file, error))
            return false;
    }
    *got = bytes - stream->avail_out;
    digest_add(&file->digest, to, *got);
    return true;
}

bool zipped_file_close(struct zipped_file *file, char digest[DIGEST_HEX])
{
    if (file->zipped)
        inflateEnd(&file->stream);
    close(file->fd);
    return digest_finish(&file->digest, digest);
}
