#include "photo_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stb_image_write.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char image_path[] = "some.image";

struct bytes allocate_bytes(size_t count)
{
    struct bytes bytes = {count, malloc(count + 1)};
    assert_non_null(bytes.data);
    return bytes;
}

void write_image(struct bytes bytes)
{
    FILE *file = fopen(image_path, "wb");
    assert_non_null(file);
    if (bytes.count > 0)
        assert_int_equal(fwrite(bytes.data, 1, bytes.count, file), bytes.count);
    assert_int_equal(fclose(file), 0);
}

void write_text(const char *text, size_t count)
{
    write_image((struct bytes){count, (uint8_t *)text});
}

struct bytes read_bytes(const char *name)
{
    struct stat status;
    assert_int_equal(stat(name, &status), 0);
    struct bytes bytes = allocate_bytes((size_t)status.st_size);
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes.data, 1, bytes.count, file), bytes.count);
    fclose(file);
    return bytes;
}

int remove_file(void **state)
{
    (void)state;
    remove(image_path);
    return 0;
}

uint8_t colour(int64_t row, int64_t column, int64_t channel)
{
    return (uint8_t)(row * 37 + column * 11 + channel * 101 + row * column);
}

static struct bytes picture(int64_t height, int64_t width)
{
    struct bytes rgb = allocate_bytes((size_t)(height * width * 3));
    for (int64_t i = 0; i < height; i++)
        for (int64_t j = 0; j < width; j++)
            for (int64_t channel = 0; channel < 3; channel++)
                rgb.data[(i * width + j) * 3 + channel] = colour(i, j, channel);
    return rgb;
}

void write_ppm(int64_t height, int64_t width)
{
    struct bytes rgb = picture(height, width), file = allocate_bytes(64 + rgb.count);
    int header = snprintf((char *)file.data, 64, "P6\n%d %d\n255\n", (int)width, (int)height);
    memcpy(file.data + header, rgb.data, rgb.count);
    write_image((struct bytes){(size_t)header + rgb.count, file.data});
    free(file.data);
    free(rgb.data);
}

void write_png(int64_t height, int64_t width)
{
    struct bytes rgb = picture(height, width);
    assert_true(stbi_write_png(image_path, (int)width, (int)height, 3, rgb.data, (int)width * 3));
    free(rgb.data);
}

void write_jpeg(int64_t height, int64_t width)
{
    struct bytes rgb = picture(height, width);
    assert_true(stbi_write_jpg(image_path, (int)width, (int)height, 3, rgb.data, 90));
    free(rgb.data);
}

struct photo read_photo(const char *name)
{
    struct photo photo = {0};
    struct error error = {""};
    if (!photo_read(name, &photo, &error))
        fail_msg("%s", error.text);
    return photo;
}

int is_refused(const char *name, struct error *error)
{
    struct photo photo = {0};
    if (!photo_read(name, &photo, error))
        return 1;
    free(photo.planes);
    return 0;
}
