/* Detects truncated and damaged image files, which stb_image decodes without an error. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* NULL if the bytes are a complete JPEG, PNG or PPM (P6) file, otherwise what is wrong with it. Bytes after the end of
 * the image are ignored. */
const char *photo_error(const uint8_t *bytes, size_t count);
