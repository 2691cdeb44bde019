#include "photo_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <jpeglib.h>

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
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)width,
                     .height = (png_uint_32)height,
                     .format = PNG_FORMAT_RGB};
    assert_true(png_image_write_to_file(&png, image_path, 0, rgb.data, 0, NULL));
    free(rgb.data);
}

void write_jpeg_of(const uint8_t *rgb, int64_t height, int64_t width, void (*set)(struct jpeg_compress_struct *))
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    FILE *file = fopen(image_path, "wb");
    assert_non_null(file);
    jpeg.err = jpeg_std_error(&errors); /* which ends the program */
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_height = (JDIMENSION)height;
    jpeg.image_width = (JDIMENSION)width;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 95, TRUE);
    if (set)
        set(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = (JSAMPROW)(rgb + jpeg.next_scanline * width * 3);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    assert_int_equal(fclose(file), 0);
}

void write_jpeg(int64_t height, int64_t width)
{
    struct bytes rgb = picture(height, width);
    write_jpeg_of(rgb.data, height, width, NULL);
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

void assert_refuses(const char *name, const char *reason)
{
    struct error error = {""};
    assert_true(is_refused(name, &error));
    assert_non_null(strstr(error.text, "--image="));
    assert_non_null(strstr(error.text, name));
    assert_null(strchr(error.text, '\n'));
    if (!strstr(error.text, reason))
        fail_msg("'%s' does not say '%s'", error.text, reason);
}
