/* The decoders of photos. An error says what is wrong with the file, without its name; the planes may be there all the
 * same. Bytes behind the end of an image are ignored. */
#pragma once

#include "photo_planes.h"

typedef bool photo_decoder(const uint8_t *bytes, size_t count, struct photo *photo, struct error *error);
photo_decoder photo_decode_jpeg, photo_decode_png, photo_decode_ppm;
