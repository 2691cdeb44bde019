/* A picture as a file has it, and how decoders fill it. An error says what is wrong with the file, without its name;
 * the pixels may be there all the same. Bytes behind the end of an image are ignored, and so are colour profiles. */
#pragma once

#include "bench/base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { PICTURE_CHANNELS = 3 };

struct picture {
    int64_t height, width;
    uint8_t *rgb; /* red, green, blue, red, ..., row after row; free() it */
};

/* Takes memory for the pixels. False: the picture is too large. */
bool picture_begin(struct picture *picture, int64_t height, int64_t width, struct error *error);

/* A zero stands behind the bytes. */
typedef bool photo_decoder(const uint8_t *bytes, size_t count, struct picture *picture, struct error *error);
photo_decoder photo_decode_jpeg, photo_decode_png, photo_decode_pnm;
