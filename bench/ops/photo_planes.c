#include "photo_planes.h"

#include <stdlib.h>

enum { CHANNELS = 3, PIXELS_MAX = 1 << 28 };

bool photo_begin(struct photo *photo, uint64_t height, uint64_t width, size_t bytes, uint64_t densest,
                 struct error *error)
{
    uint64_t pixels = width > PIXELS_MAX || height > PIXELS_MAX ? UINT64_MAX : width * height;
    if (pixels > PIXELS_MAX)
        return error_set(error, "it has %llux%llu pixels, expected %d at most", (unsigned long long)height,
                         (unsigned long long)width, PIXELS_MAX);
    if (pixels > bytes * densest)
        return error_set(error, "the file is truncated: %zu bytes do not hold %llux%llu pixels", bytes,
                         (unsigned long long)height, (unsigned long long)width);
    *photo = (struct photo){(int64_t)height, (int64_t)width, malloc(pixels * CHANNELS)};
    return photo->planes || error_set(error, "no memory for its %llux%llu pixels", (unsigned long long)height,
                                      (unsigned long long)width);
}

void photo_set_row(struct photo *photo, int64_t row, const uint8_t *rgb)
{
    uint8_t *to = photo->planes + row * photo->width;
    for (int64_t channel = 0; channel < CHANNELS; channel++, to += photo->height * photo->width)
        for (int64_t i = 0; i < photo->width; i++)
            to[i] = rgb[i * CHANNELS + channel];
}

void photo_get_row(const struct photo *photo, int64_t row, uint8_t *rgb)
{
    const uint8_t *from = photo->planes + row * photo->width;
    for (int64_t channel = 0; channel < CHANNELS; channel++, from += photo->height * photo->width)
        for (int64_t i = 0; i < photo->width; i++)
            rgb[i * CHANNELS + channel] = from[i];
}
