/* Image files for tests of reading photos. */
#pragma once

#include "bench/data/photo.h"

/* The file that the write_*() functions write. */
extern const char image_path[];
int remove_file(void **state);

struct bytes {
    size_t count;
    uint8_t *data;
};

struct bytes allocate_bytes(size_t count);
void write_image(struct bytes bytes);
void write_text(const char *text, size_t count);
struct bytes read_bytes(const char *name);

/* An image in which every pixel and channel differs from its neighbours. */
uint8_t colour(int64_t row, int64_t column, int64_t channel);
void write_ppm(int64_t height, int64_t width);
void write_png(int64_t height, int64_t width);
void write_jpeg(int64_t height, int64_t width);

/* `set` changes the settings of a JPEG of height x width x 3 bytes. */
struct jpeg_compress_struct;
void write_jpeg_of(const uint8_t *rgb, int64_t height, int64_t width, void (*set)(struct jpeg_compress_struct *));

/* Fails the test if the file cannot be read. */
struct photo read_photo(const char *name);

int is_refused(const char *name, struct error *error);

/* Refused in one line that names the file and says the reason. */
void assert_refuses(const char *name, const char *reason);
