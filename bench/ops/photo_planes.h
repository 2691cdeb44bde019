/* A photo in memory, and how decoders fill it. */
#pragma once

#include "bench/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct photo {
    int64_t height, width;
    uint8_t *planes; /* red, green, blue: 3 x height x width; free() it */
};

/* Takes memory for the planes. False: the image is too large, or larger than the file can be: a byte of it has at most
 * `densest` pixels. */
bool photo_begin(struct photo *photo, uint64_t height, uint64_t width, size_t bytes, uint64_t densest,
                 struct error *error);

/* Splits a row of red, green, blue, red, ... into the planes, and puts it together from them. */
void photo_set_row(struct photo *photo, int64_t row, const uint8_t *rgb);
void photo_get_row(const struct photo *photo, int64_t row, uint8_t *rgb);
