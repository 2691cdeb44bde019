/* PPM and PGM: P and a digit, width, height and largest value, then the samples, as text or as bytes (Netpbm, ppm(5)
 * and pgm(5)). */
#include "picture.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

/* The next number, after white space and comments; -1: there is none. One that is too large for an image
 * stays so. At the end of the file stands a zero. */
static int64_t read_number(const uint8_t **at)
{
    char *end;
    while (isspace(**at) || **at == '#')
        if (*(*at)++ == '#')
            while (**at != '\n' && **at != '\0')
                ++*at;
    if (!isdigit(**at))
        return -1;
    const int64_t number = strtoll((const char *)*at, &end, 10);
    *at = (const uint8_t *)end;
    return number;
}

/* As the nearest of 256 levels. */
static bool read_samples(const uint8_t *at, int64_t largest, bool is_text, bool is_gray, struct picture *picture,
                         struct error *error)
{
    const int64_t count = picture->height * picture->width * PICTURE_CHANNELS;
    for (int64_t i = 0; i < count; i++) {
        if (is_gray && i % PICTURE_CHANNELS != 0) {
            picture->rgb[i] = picture->rgb[i - 1];
            continue;
        }
        int64_t value = is_text ? read_number(&at) : *at++;
        if (largest > UINT8_MAX && !is_text)
            value = value << 8 | *at++;
        if (value < 0)
            return error_set(error, *at ? "its samples are not all numbers" : "the file is truncated");
        if (value > largest)
            return error_set(error, "a sample is %" PRId64 ", expected its largest value, %" PRId64 ", at most", value,
                             largest);
        picture->rgb[i] = (uint8_t)((value * UINT8_MAX + largest / 2) / largest);
    }
    return true;
}

bool photo_decode_pnm(const uint8_t *bytes, size_t count, struct picture *picture, struct error *error)
{
    const bool is_text = bytes[1] < '5', is_gray = bytes[1] == '2' || bytes[1] == '5';
    const uint8_t *at = bytes + 2;
    const int64_t width = read_number(&at), height = read_number(&at), largest = read_number(&at);
    if (width < 1 || height < 1)
        return error_set(error, "its header has no valid width and height");
    if (largest < 1 || largest > UINT16_MAX)
        return error_set(error, "its largest value is %" PRId64 ", expected 1 to %d", largest < 0 ? 0 : largest,
                         UINT16_MAX);
    if (!isspace(*at++))
        return error_set(error, "its header is not followed by white space");
    if (!picture_begin(picture, height, width, error))
        return false;
    const int64_t samples = height * width * (is_gray ? 1 : PICTURE_CHANNELS);
    if (!is_text && bytes + count - at < samples * (largest > UINT8_MAX ? 2 : 1))
        return error_set(error, "the file is truncated");
    return read_samples(at, largest, is_text, is_gray, picture, error);
}
