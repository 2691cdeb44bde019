#include "photo.h"

#include "bench/base/digest.h"
#include "bench/base/files.h"
#include "file_kind.h"
#include "picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char photo_workload[] = "image";

enum { FILE_BYTES_MAX = 1 << 30 };

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
    const char *kind = count > 0 ? file_kind(bytes, count) : "empty";
    return kind ? error_set(error, "it is %s", kind) : error_set(error, "its first bytes match none of these formats");
}

/* The first four orientations are as it lies there, mirrored, upside down or both; the other four lie on their side. */
static void turn(const struct picture *from, struct photo *to)
{
    const int is = from->orientation;
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

static bool show(const struct picture *picture, struct photo *photo, struct error *error)
{
    const bool lies = picture->orientation >= 5;
    photo->height = lies ? picture->width : picture->height;
    photo->width = lies ? picture->height : picture->width;
    photo->planes = malloc((size_t)(picture->height * picture->width * PICTURE_CHANNELS));
    if (!photo->planes)
        return error_set(error, "no memory for its planes");
    turn(picture, photo);
    return true;
}

bool photo_read(const char *path, struct photo *photo, struct error *error)
{
    char name[sizeof error->text], digest[DIGEST_HEX] = "";
    const char *slash = strrchr(path, '/');
    size_t count;
    struct error reason;
    snprintf(name, sizeof name, "--image=%s", path);
    char *bytes = regular_file_read(path, name, FILE_BYTES_MAX, &count, error);
    if (!bytes)
        return false;
    struct picture picture = {0};
    bool ok = digest_of(bytes, count, digest) || error_set(&reason, "libcrypto cannot compute its digest");
    ok = ok && decode(bytes, count, &picture, &reason) && show(&picture, photo, &reason);
    free(bytes);
    free(picture.rgb);
    snprintf(photo->name, sizeof photo->name, "%.63s sha256:%.12s", slash ? slash + 1 : path, digest);
    return ok ||
           error_set(error, "%.200s: cannot be read as a JPEG, PNG, PPM or PGM image (%.250s)", name, reason.text);
}
