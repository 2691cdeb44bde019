/* A picture as a file has it, and how decoders fill it. An error says what is wrong with the file, without its name;
 * the pixels may be there all the same. Bytes behind the end of an image are ignored, and so are colour profiles. */
#pragma once

#include "bench/base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { PICTURE_CHANNELS = 3 };

struct picture {
    int64_t height, width;
    uint8_t *rgb;    /* red, green, blue, red, ..., row after row; free() it */
    int orientation; /* how it is to be shown, as EXIF counts: 1 as it lies there, 8 at most */
};

/* Takes memory for the pixels. False: the picture is too large, or larger than the file can be: a byte of it has at
 * most `densest` pixels. */
bool picture_begin(struct picture *picture, int64_t height, int64_t width, size_t bytes, int64_t densest,
                   struct error *error);

/* The orientation that a block of EXIF says, which begins with the header of TIFF. 1: it says none. */
int picture_orientation(const uint8_t *exif, size_t count);

/* A zero stands behind the bytes. */
typedef bool photo_decoder(const uint8_t *bytes, size_t count, struct picture *picture, struct error *error);
photo_decoder photo_decode_jpeg, photo_decode_png, photo_decode_pnm;
