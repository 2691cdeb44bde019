/* PPM: P6, width, height and largest value, one white space, then the pixels (Netpbm, ppm(5)). */
#include "photo_formats.h"

#include <string.h>

/* A position that never passes the end. */
struct reader {
    const uint8_t *at, *end;
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

/* 0: there is no number. One that is too large for an image stays so. */
static uint64_t read_number(struct reader *reader)
{
    uint64_t value = 0;
    skip_space(reader);
    for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; reader->at++)
        if (value < UINT32_MAX)
            value = 10 * value + (uint64_t)(*reader->at - '0');
    return value;
}

bool photo_decode_ppm(const uint8_t *bytes, size_t count, struct photo *photo, struct error *error)
{
    enum { MAGIC_BYTES = 2, CHANNELS = 3 };
    struct reader reader = {bytes + MAGIC_BYTES, bytes + count};
    uint64_t width = read_number(&reader), height = read_number(&reader), largest = read_number(&reader);
    if (width == 0 || height == 0)
        return error_set(error, "its header has no valid width and height");
    if (largest != UINT8_MAX)
        return error_set(error, "its largest value is not 255");
    if (reader.at == reader.end || !is_space(*reader.at++))
        return error_set(error, "its header is not followed by white space");
    if (!photo_begin(photo, height, width, (size_t)(reader.end - reader.at), 1, error))
        return false;
    size_t row_bytes = width * CHANNELS;
    if ((size_t)(reader.end - reader.at) / row_bytes < height)
        return error_set(error, "the file is truncated");
    for (int64_t row = 0; row < photo->height; row++, reader.at += row_bytes)
        photo_set_row(photo, row, reader.at);
    return true;
}
