/* IDX files, the format of MNIST: big-endian magic 0x00 0x00 type rank, `rank` 32-bit sizes, the data.
 * Source: Y. LeCun, C. Cortes, C. Burges, "The MNIST database", section "File formats". */
#pragma once

#include "bench/base/digest.h"
#include "bench/base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { IDX_RANK_MAX = 3 };

struct idx {
    uint32_t size[IDX_RANK_MAX];
    uint8_t *data;           /* the product of the sizes, in bytes; free() it */
    char digest[DIGEST_HEX]; /* of the file, unpacked */
};

/* Reads a file of unsigned bytes with `rank` dimensions, gzipped or plain, of 1 GiB at most. */
bool idx_read(const char *path, int rank, struct idx *idx, struct error *error);
