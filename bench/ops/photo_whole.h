/* Is an image file whole? stb_image makes a picture of what is there of a truncated or damaged one, and says nothing.
 */
#ifndef RUNGBENCH_PHOTO_WHOLE_H
#define RUNGBENCH_PHOTO_WHOLE_H

#include <stddef.h>
#include <stdint.h>

/* NULL if the bytes are a whole JPEG, PNG or PPM (P6) file, else what is wrong with them. What may follow the end of
 * the image is not looked at. */
const char *photo_error(const uint8_t *bytes, size_t count);

#endif
