/* Image files for tests of reading photos. */
#pragma once

#include "bench/data/photo.h"
#include "data_files.h"

/* An image in which every pixel and channel differs from its neighbours. */
uint8_t colour(int64_t row, int64_t column, int64_t channel);

typedef void photo_writer(int64_t height, int64_t width);
photo_writer write_ppm, write_png, write_jpeg;

/* `set` changes the settings of a JPEG of height x width x 3 bytes. */
struct jpeg_compress_struct;
void write_jpeg_of(const uint8_t *rgb, int64_t height, int64_t width, void (*set)(struct jpeg_compress_struct *));

/* Fails the test if the file cannot be read, or has another size. */
struct photo read_photo(const char *name, int64_t height, int64_t width);

bool is_refused(const char *name, struct error *error);

/* Refused in one line that names the file and says the reason. */
void assert_refuses(const char *name, const char *reason);
