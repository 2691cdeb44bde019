/* PPM and PGM: P and a digit, width, height and largest value, then the samples, as text or as bytes (Netpbm, ppm(5)
 * and pgm(5)). */
#include "picture.h"

#include <string.h>

/* A position that never passes the end. */
struct reader {
    const uint8_t *at, *end;
    uint64_t largest;
    size_t sample_bytes; /* 0: text */
};

static bool is_space(uint8_t byte)
{
    return byte != 0 && strchr(" \t\n\v\f\r", byte);
}

static void skip_space(struct reader *reader)
{
    for (; reader->at < reader->end && (is_space(*reader->at) || *reader->at == '#'); reader->at++)
        if (*reader->at == '#')
            while (reader->at < reader->end - 1 && *reader->at != '\n')
                reader->at++;
}

/* False: there is no number. One that is too large for an image stays so. */
static bool read_number(struct reader *reader, uint64_t *value)
{
    *value = 0;
    skip_space(reader);
    const uint8_t *start = reader->at;
    for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; reader->at++)
        if (*value < UINT32_MAX)
            *value = 10 * *value + (uint64_t)(*reader->at - '0');
    return reader->at > start;
}

static bool read_bytes(struct reader *reader, uint64_t *value)
{
    *value = 0;
    if ((size_t)(reader->end - reader->at) < reader->sample_bytes)
        return false;
    for (size_t i = 0; i < reader->sample_bytes; i++)
        *value = *value << 8 | *reader->at++;
    return true;
}

static bool read_sample(struct reader *reader, uint8_t *sample, struct error *error)
{
    uint64_t value = 0;
    if (!(reader->sample_bytes ? read_bytes : read_number)(reader, &value))
        return error_set(error, reader->at == reader->end || reader->sample_bytes ? "the file is truncated"
                                                                                  : "its samples are not all numbers");
    if (value > reader->largest)
        return error_set(error, "a sample is %llu, expected its largest value, %llu, at most",
                         (unsigned long long)value, (unsigned long long)reader->largest);
    *sample = (uint8_t)((value * UINT8_MAX + reader->largest / 2) / reader->largest);
    return true;
}

static bool read_samples(struct reader *reader, int samples, struct picture *picture, struct error *error)
{
    uint8_t *to = picture->rgb;
    for (int64_t pixel = 0; pixel < picture->height * picture->width; pixel++, to += PICTURE_CHANNELS) {
        for (int i = 0; i < samples; i++)
            if (!read_sample(reader, &to[i], error))
                return false;
        if (samples == 1)
            to[1] = to[2] = to[0];
    }
    return true;
}

bool photo_decode_pnm(const uint8_t *bytes, size_t count, struct picture *picture, struct error *error)
{
    enum { MAGIC_BYTES = 2 };
    const char kind = (char)bytes[1]; /* 2 and 3 are text, 2 and 5 grey */
    struct reader reader = {bytes + MAGIC_BYTES, bytes + count, 0, 0};
    uint64_t width, height;
    bool has_size = read_number(&reader, &width) && read_number(&reader, &height) && width > 0 && height > 0;
    if (!has_size)
        return error_set(error, "its header has no valid width and height");
    if (!read_number(&reader, &reader.largest) || reader.largest < 1 || reader.largest > UINT16_MAX)
        return error_set(error, "its largest value is %llu, expected 1 to %d", (unsigned long long)reader.largest,
                         UINT16_MAX);
    if (reader.at == reader.end || !is_space(*reader.at++))
        return error_set(error, "its header is not followed by white space");
    const int samples = kind == '3' || kind == '6' ? PICTURE_CHANNELS : 1;
    reader.sample_bytes = kind < '5' ? 0 : reader.largest > UINT8_MAX ? 2 : 1;
    return picture_begin(picture, height, width, (size_t)(reader.end - reader.at), 1, error) &&
           read_samples(&reader, samples, picture, error);
}
