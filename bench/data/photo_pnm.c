/* PPM and PGM: P and a digit, width, height and largest value, then the samples, as text or as bytes (Netpbm, ppm(5)
 * and pgm(5)). */
#include "picture.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

/* At the end stands a zero, which is no part of a number. */
struct reader {
    const uint8_t *at, *end;
    int64_t largest;
    int sample_bytes; /* 0: text */
};

static const char truncated[] = "the file is truncated";

static void skip_space(struct reader *reader)
{
    bool is_comment = false;
    for (; reader->at < reader->end; reader->at++) {
        is_comment = *reader->at == '#' || (is_comment && *reader->at != '\n');
        if (!is_comment && !isspace(*reader->at))
            return;
    }
}

/* False: there is no number. One that is too large for an image stays so. */
static bool read_number(struct reader *reader, int64_t *value)
{
    *value = 0;
    skip_space(reader);
    if (!isdigit(*reader->at))
        return false;
    char *end;
    *value = strtoll((const char *)reader->at, &end, 10);
    reader->at = (uint8_t *)end;
    return true;
}

static bool read_sample(struct reader *reader, uint8_t *sample, struct error *error)
{
    int64_t value = 0;
    for (int i = 0; i < reader->sample_bytes; i++)
        value = value << 8 | *reader->at++;
    if (reader->sample_bytes == 0 && !read_number(reader, &value))
        return error_set(error, reader->at == reader->end ? truncated : "its samples are not all numbers");
    if (value > reader->largest)
        return error_set(error, "a sample is %" PRId64 ", expected its largest value, %" PRId64 ", at most", value,
                         reader->largest);
    *sample = (uint8_t)((value * UINT8_MAX + reader->largest / 2) / reader->largest);
    return true;
}

static bool read_samples(struct reader *reader, bool is_gray, struct picture *picture, struct error *error)
{
    const int64_t pixels = picture->height * picture->width, samples = pixels * (is_gray ? 1 : PICTURE_CHANNELS);
    uint8_t *const end = picture->rgb + pixels * PICTURE_CHANNELS;
    if (reader->end - reader->at < samples * reader->sample_bytes)
        return error_set(error, "%s", truncated);
    for (uint8_t *to = picture->rgb; to < end; to++)
        if (is_gray && (to - picture->rgb) % PICTURE_CHANNELS != 0)
            *to = to[-1];
        else if (!read_sample(reader, to, error))
            return false;
    return true;
}

bool photo_decode_pnm(const uint8_t *bytes, size_t count, struct picture *picture, struct error *error)
{
    const bool is_text = bytes[1] < '5', is_gray = bytes[1] == '2' || bytes[1] == '5';
    struct reader reader = {.at = bytes + 2, .end = bytes + count};
    int64_t width, height;
    if (!read_number(&reader, &width) || !read_number(&reader, &height) || width == 0 || height == 0)
        return error_set(error, "its header has no valid width and height");
    if (!read_number(&reader, &reader.largest) || reader.largest < 1 || reader.largest > UINT16_MAX)
        return error_set(error, "its largest value is %" PRId64 ", expected 1 to %d", reader.largest, UINT16_MAX);
    if (!isspace(*reader.at++))
        return error_set(error, "its header is not followed by white space");
    reader.sample_bytes = is_text ? 0 : reader.largest > UINT8_MAX ? 2 : 1;
    return picture_begin(picture, height, width, (size_t)(reader.end - reader.at), 1, error) &&
           read_samples(&reader, is_gray, picture, error);
}
