/* Photos: reading JPEG, PNG, PPM and PGM as planar RGB of 8 bits, as they are to be shown, and writing a grey PNG. */
#pragma once

#include "bench/base/digest.h"
#include "bench/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct photo {
    int64_t height, width;
    uint8_t *planes;         /* red, green, blue: 3 x height x width; free() it */
    char digest[DIGEST_HEX]; /* of the file */
};

bool photo_read(const char *path, struct photo *photo, struct error *error);

/* Encodes `gray` (height x width) as a PNG and returns its bytes; free() them. NULL: the error says why not. */
uint8_t *photo_encode_gray(const uint8_t *gray, int64_t height, int64_t width, size_t *bytes, struct error *error);
