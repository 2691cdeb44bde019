/* Photos: reading JPEG, PNG and PPM as planar RGB, and writing a grey PNG. */
#pragma once

#include "photo_planes.h"

bool photo_read(const char *path, struct photo *photo, struct error *error);

/* Encodes `gray` (height x width) as a PNG and returns its bytes; free() them. NULL: out of memory. */
uint8_t *photo_encode_gray(const uint8_t *gray, int64_t height, int64_t width, size_t *bytes);
