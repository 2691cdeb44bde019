/* The decoders of photos. An error says what is wrong with the file, without its name; the pixels may be there all the
 * same. Bytes behind the end of an image are ignored, and so are colour profiles. */
#pragma once

#include "picture.h"

typedef bool photo_decoder(const uint8_t *bytes, size_t count, struct picture *picture, struct error *error);
photo_decoder photo_decode_jpeg, photo_decode_png, photo_decode_pnm;
