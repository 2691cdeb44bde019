#include "photo_files.h"
#include "tests/unit.h"

#include <png.h>

#include <jpeglib.h>

uint8_t colour(int64_t row, int64_t column, int64_t channel)
{
    return (uint8_t)(row * 37 + column * 11 + channel * 101 + row * column);
}

static uint8_t *picture(int64_t height, int64_t width)
{
    uint8_t *rgb = allocate_bytes((size_t)(height * width * 3)).data;
    for (int64_t i = 0; i < height * width * 3; i++)
        rgb[i] = colour(i / 3 / width, i / 3 % width, i % 3);
    return rgb;
}

void write_ppm(int64_t height, int64_t width)
{
    uint8_t *rgb = picture(height, width);
    FILE *file = fopen(data_path, "wb");
    assert_non_null(file);
    fprintf(file, "P6\n%d %d\n255\n", (int)width, (int)height);
    fwrite(rgb, 3, (size_t)(height * width), file);
    assert_int_equal(fclose(file), 0);
    free(rgb);
}

void write_png(int64_t height, int64_t width)
{
    uint8_t *rgb = picture(height, width);
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)width,
                     .height = (png_uint_32)height,
                     .format = PNG_FORMAT_RGB};
    assert_true(png_image_write_to_file(&png, data_path, 0, rgb, 0, NULL));
    free(rgb);
}

void write_jpeg_of(const uint8_t *rgb, int64_t height, int64_t width, void (*set)(struct jpeg_compress_struct *))
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    FILE *file = fopen(data_path, "wb");
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
        JSAMPROW row = (JSAMPROW)(rgb + jpeg.next_scanline * width * jpeg.input_components);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    assert_int_equal(fclose(file), 0);
}

void write_jpeg(int64_t height, int64_t width)
{
    uint8_t *rgb = picture(height, width);
    write_jpeg_of(rgb, height, width, NULL);
    free(rgb);
}

struct photo read_photo(const char *name, int64_t height, int64_t width)
{
    struct photo photo = {0};
    MUST(photo_read(name, &photo, &error));
    assert_int_equal(photo.height, height);
    assert_int_equal(photo.width, width);
    return photo;
}

bool is_refused(const char *name, struct error *error)
{
    struct photo photo = {0};
    bool is_read = photo_read(name, &photo, error);
    if (is_read)
        free(photo.planes);
    return !is_read;
}

void assert_refuses(const char *name, const char *reason)
{
    struct error error = {""};
    assert_true(is_refused(name, &error));
    assert_says(error.text, "--image=");
    assert_says(error.text, name);
    assert_says(error.text, reason);
}
