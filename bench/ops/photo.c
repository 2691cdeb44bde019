#include "photo.h"

#include "bench/base/regular_file.h"
#include "photo_formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 30 };

static bool decode(const uint8_t *bytes, size_t count, struct photo *photo, struct error *error)
{
    static const struct {
        const char *start;
        size_t length;
        photo_decoder *decode;
    } formats[] = {
        {"\x89PNG\r\n\x1A\n", 8, photo_decode_png}, {"\xFF\xD8", 2, photo_decode_jpeg}, {"P6", 2, photo_decode_ppm}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (count >= formats[i].length && memcmp(bytes, formats[i].start, formats[i].length) == 0)
            return formats[i].decode(bytes, count, photo, error);
    return error_set(error, "%s", count == 0 ? "it is empty" : "its first bytes match none of these formats");
}

bool photo_read(const char *path, struct photo *photo, struct error *error)
{
    char name[sizeof error->text];
    size_t count;
    struct error reason;
    snprintf(name, sizeof name, "--image=%s", path);
    char *bytes = regular_file_read(path, name, FILE_BYTES_MAX, &count, error);
    if (!bytes)
        return false;
    *photo = (struct photo){0};
    bool ok = decode((const uint8_t *)bytes, count, photo, &reason);
    free(bytes);
    if (ok)
        return true;
    free(photo->planes);
    photo->planes = NULL;
    return error_set(error, "%.200s: cannot be read as a JPEG, PNG or PPM image (%.250s)", name, reason.text);
}
