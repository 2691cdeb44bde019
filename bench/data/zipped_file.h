/* A file that may be gzipped (RFC 1952), read as if it were not. */
#pragma once

#include "bench/base/digest.h"
#include "bench/base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

struct zipped_file {
    const char *path;
    int fd;
    uint64_t most; /* the file has no more than so many bytes, whatever they unpack to */
    bool zipped;
    bool ended;     /* and its checksum was right; of a plain file always */
    bool has_ended; /* more than once: gzipped files may be joined */
    struct digest digest;
    z_stream stream;
    uint8_t input[1 << 16];
};

/* False: the file cannot be read, or is no regular file. */
bool zipped_file_open(struct zipped_file *file, const char *path, struct error *error);

/* Reads `bytes` bytes, 2^30 at most, or as many as are left; `got` says how many. At the end of a gzipped file its
 * checksum has been compared. False: it is corrupt, or cannot be read. */
bool zipped_file_read(struct zipped_file *file, void *to, size_t bytes, size_t *got, struct error *error);

/* The digest is that of all that was read. False: there is none (bench/base/digest.h). */
bool zipped_file_close(struct zipped_file *file, char digest[DIGEST_HEX]);
