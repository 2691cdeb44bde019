#define _GNU_SOURCE /* memmem() */
#include "photo.h"

#include "bench/base/digest.h"
#include "bench/base/files.h"
#include "bench/base/plain_text.h"
#include "picture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char photo_workload[] = "image";

enum { FILE_BYTES_MAX = 1 << 30 };
enum { PIXELS_MAX = 1 << 28, SIDE_MAX = 1000000 /* libpng's, of the picture that comes out */ };

bool picture_begin(struct picture *picture, int64_t height, int64_t width, struct error *error)
{
    if (width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX)
        return error_set(error, "it has %" PRId64 "x%" PRId64 " pixels, expected %d at most, and %d on a side", height,
                         width, PIXELS_MAX, SIDE_MAX);
    *picture = (struct picture){height, width, malloc((size_t)(height * width * PICTURE_CHANNELS))};
    return picture->rgb || error_set(error, "no memory for its %" PRId64 "x%" PRId64 " pixels", height, width);
}

/* By how the file begins. NULL: no decoder knows it. */
static photo_decoder *decoder_of(const char *start)
{
    if (strncmp(start, "\x89PNG\r\n\x1A\n", 8) == 0)
        return photo_decode_png;
    if (strncmp(start, "\xFF\xD8", 2) == 0)
        return photo_decode_jpeg;
    return start[0] == 'P' && start[1] && strchr("2356", start[1]) ? photo_decode_pnm : NULL;
}

static bool decode(const char *bytes, size_t count, struct picture *picture, struct error *error)
{
    photo_decoder *decoder = decoder_of(bytes);
    if (decoder)
        return decoder((const uint8_t *)bytes, count, picture, error);
    char start[24];
    plain_text_of_bytes(start, sizeof start, bytes, count);
    return error_set(error, count > 0 ? "it begins with '%s'" : "it is empty", start);
}

/* A number of `bytes` bytes, in the order that the header says. */
static uint32_t number(const uint8_t *exif, size_t at, size_t bytes)
{
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | exif[exif[0] == 'I' ? at + bytes - 1 - i : at + i];
    return value;
}

/* Phones keep a picture as their sensor lies, and say in EXIF how it was held: from 1, as it lies there, to 8. A header
 * (order of bytes, 42, place of the first directory), then a directory: the number of its entries, and the entries
 * (tag, type, count, value). */
static int exif_orientation(const uint8_t *exif, size_t count)
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

/* By the mark in front of EXIF, which a JPEG has in its first segment and a PNG as the name of a chunk. */
static int find_orientation(const char *bytes, size_t count)
{
    static const char in_jpeg[] = "Exif\0" /* and another 0 */, in_png[] = "eXIf";
    const bool is_png = bytes[0] == '\x89';
    const size_t length = is_png ? sizeof in_png - 1 : sizeof in_jpeg;
    const char *mark = memmem(bytes, count, is_png ? in_png : in_jpeg, length);
    return mark ? exif_orientation((const uint8_t *)mark + length, (size_t)(bytes + count - mark) - length) : 1;
}

/* The first four orientations are as it lies there, mirrored, upside down or both; the other four lie on their side. */
static void turn(const struct picture *from, int is, struct photo *to)
{
    const bool lies = is >= 5, is_mirrored = is == 2 || is == 3 || is == 7 || is == 8;
    const bool is_upside_down = is == 3 || is == 4 || is == 6 || is == 7;
    for (int64_t row = 0; row < to->height; row++)
        for (int64_t column = 0; column < to->width; column++) {
            int64_t y = lies ? column : row, x = lies ? row : column;
            y = is_upside_down ? from->height - 1 - y : y;
            x = is_mirrored ? from->width - 1 - x : x;
            for (int64_t channel = 0; channel < PICTURE_CHANNELS; channel++)
                to->planes[(channel * to->height + row) * to->width + column] =
                    from->rgb[(y * from->width + x) * PICTURE_CHANNELS + channel];
        }
}

static bool show(const struct picture *picture, int orientation, struct photo *photo, struct error *error)
{
    const bool lies = orientation >= 5;
    photo->height = lies ? picture->width : picture->height;
    photo->width = lies ? picture->height : picture->width;
    photo->planes = malloc((size_t)(picture->height * picture->width * PICTURE_CHANNELS));
    if (!photo->planes)
        return error_set(error, "no memory for its planes");
    turn(picture, orientation, photo);
    return true;
}

bool photo_read(const char *path, struct photo *photo, struct error *error)
{
    char name[sizeof error->text], digest[DIGEST_HEX];
    const char *slash = strrchr(path, '/');
    size_t count;
    struct error reason;
    snprintf(name, sizeof name, "--image=%s", path);
    char *bytes = regular_file_read(path, name, FILE_BYTES_MAX, &count, error);
    if (!bytes)
        return false;
    struct picture picture = {0};
    digest_of(bytes, count, digest);
    bool ok = decode(bytes, count, &picture, &reason) && show(&picture, find_orientation(bytes, count), photo, &reason);
    free(bytes);
    free(picture.rgb);
    snprintf(photo->name, sizeof photo->name, "%.63s sha256:%.12s", slash ? slash + 1 : path, digest);
    return ok ||
           error_set(error, "%.200s: cannot be read as a JPEG, PNG, PPM or PGM image (%.250s)", name, reason.text);
}
