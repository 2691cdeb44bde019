#include "photo_whole.h"

#include <stdbool.h>
#include <string.h>
#include <zlib.h>

/* A position that never passes the end. */
struct reader {
    const uint8_t *at, *end;
};

static size_t left(const struct reader *reader)
{
    return (size_t)(reader->end - reader->at);
}

static bool skip(struct reader *reader, size_t count)
{
    if (left(reader) < count)
        return false;
    reader->at += count;
    return true;
}

static uint32_t big_endian(const uint8_t *bytes, int count)
{
    uint32_t value = 0;
    for (int i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

static const char truncated[] = "the file is truncated";

/* PNG: chunks of length, type, data, CRC up to IEND (W3C, "Portable Network Graphics Specification", section 5.3). */
static const char *png_error(struct reader reader)
{
    enum { SIGNATURE_BYTES = 8, FRAME_BYTES = 12, TYPE_BYTES = 4 };
    skip(&reader, SIGNATURE_BYTES);
    for (;;) {
        if (left(&reader) < FRAME_BYTES)
            return truncated;
        uint32_t length = big_endian(reader.at, 4);
        if (length > left(&reader) - FRAME_BYTES)
            return truncated;
        const uint8_t *type = reader.at + 4, *crc = type + TYPE_BYTES + length;
        if (crc32(0, type, TYPE_BYTES + length) != big_endian(crc, 4))
            return "a chunk's checksum is wrong";
        if (memcmp(type, "IEND", TYPE_BYTES) == 0)
            return NULL;
        skip(&reader, FRAME_BYTES + length);
    }
}

/* Skips entropy-coded data: up to a marker that is neither a stuffed zero nor a restart marker. */
static bool skip_scan(struct reader *reader)
{
    for (; left(reader) >= 2; reader->at++)
        if (reader->at[0] == 0xFF && reader->at[1] != 0x00 && (reader->at[1] < 0xD0 || reader->at[1] > 0xD7))
            return true;
    return false;
}

/* JPEG: segments up to EOI (ITU-T T.81, annex B). */
static const char *jpeg_error(struct reader reader)
{
    enum { FILL = 0xFF, EOI = 0xD9, SOS = 0xDA, SOI_BYTES = 2 };
    skip(&reader, SOI_BYTES);
    for (;;) {
        if (left(&reader) < 2)
            return truncated;
        uint8_t marker = reader.at[1];
        if (reader.at[0] != FILL)
            return "bytes between two segments";
        if (marker == EOI)
            return NULL;
        if (marker == FILL) {
            skip(&reader, 1);
            continue;
        }
        if (left(&reader) < 4 || !skip(&reader, 2 + big_endian(reader.at + 2, 2)))
            return truncated;
        if (marker == SOS && !skip_scan(&reader))
            return truncated;
    }
}

/* Reads a number of a PPM header, after white space and comments. 0: there is none, or it is too large. */
static uint64_t header_number(struct reader *reader)
{
    const uint64_t limit = 1 << 24;
    uint64_t value = 0;
    for (; left(reader) > 0 && *reader->at != 0 && strchr(" \t\r\n#", *reader->at); reader->at++)
        if (*reader->at == '#')
            while (left(reader) > 1 && *reader->at != '\n')
                reader->at++;
    for (; left(reader) > 0 && *reader->at >= '0' && *reader->at <= '9' && value <= limit; reader->at++)
        value = 10 * value + (uint64_t)(*reader->at - '0');
    return value <= limit ? value : 0;
}

/* PPM: width, height and largest value, one white space, then the pixels (Netpbm, ppm(5)). */
static const char *ppm_error(struct reader reader)
{
    enum { MAGIC_BYTES = 2, CHANNELS = 3 };
    skip(&reader, MAGIC_BYTES);
    uint64_t width = header_number(&reader), height = header_number(&reader), largest = header_number(&reader);
    if (width == 0 || height == 0)
        return "its header has no valid width and height";
    if (largest != 255)
        return "its largest value is not 255";
    return left(&reader) >= 1 + width * height * CHANNELS ? NULL : truncated;
}

const char *photo_error(const uint8_t *bytes, size_t count)
{
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'}, jpeg[] = {0xFF, 0xD8},
                         ppm[] = {'P', '6'};
    struct reader reader = {bytes, bytes + count};
    if (count >= sizeof png && memcmp(bytes, png, sizeof png) == 0)
        return png_error(reader);
    if (count >= sizeof jpeg && memcmp(bytes, jpeg, sizeof jpeg) == 0)
        return jpeg_error(reader);
    if (count >= sizeof ppm && memcmp(bytes, ppm, sizeof ppm) == 0)
        return ppm_error(reader);
    return "its first bytes match none of these formats";
}
