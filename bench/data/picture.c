#include "picture.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PIXELS_MAX = 1 << 28, SIDE_MAX = 1000000 /* libpng's, of the picture that comes out */ };

bool picture_begin(struct picture *picture, int64_t height, int64_t width, size_t bytes, int64_t densest,
                   struct error *error)
{
    if (width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX)
        return error_set(error, "it has %" PRId64 "x%" PRId64 " pixels, expected %d at most, and %d on a side", height,
                         width, PIXELS_MAX, SIDE_MAX);
    if (width * height > (int64_t)bytes * densest)
        return error_set(error, "the file is truncated: %zu bytes do not hold %" PRId64 "x%" PRId64 " pixels", bytes,
                         height, width);
    *picture = (struct picture){height, width, malloc((size_t)(height * width * PICTURE_CHANNELS)), 1};
    return picture->rgb || error_set(error, "no memory for its %" PRId64 "x%" PRId64 " pixels", height, width);
}

/* A number of `bytes` bytes, in the order that the header says. */
static uint32_t number(const uint8_t *exif, size_t at, size_t bytes)
{
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | exif[exif[0] == 'I' ? at + bytes - 1 - i : at + i];
    return value;
}

/* The header (order of bytes, 42, place of the first directory), then a directory: the number of its entries, and the
 * entries (tag, type, count, value). */
int picture_orientation(const uint8_t *exif, size_t count)
{
    enum { HEADER = 8, ENTRY = 12, TYPE = 2, LONG = 4, VALUE = 8, ORIENTATION = 0x112, MOST = 8 };
    size_t at = count < HEADER ? count : number(exif, 4, 4);
    if (at >= count || count - at < 2)
        return 1;
    size_t entries = number(exif, at, 2);
    for (at += 2; entries > 0 && count - at >= ENTRY; entries--, at += ENTRY) {
        uint32_t value = number(exif, at + VALUE, number(exif, at + TYPE, 2) == LONG ? 4 : 2);
        if (number(exif, at, 2) == ORIENTATION)
            return value >= 1 && value <= MOST ? (int)value : 1;
    }
    return 1;
}
