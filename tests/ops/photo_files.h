/* Image files for tests of reading photos. */
#pragma once

#include "bench/ops/photo.h"

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

/* Fails the test if the file cannot be read. */
struct photo read_photo(const char *name);

int is_refused(const char *name, struct error *error);
