/* Photos: each format is read correctly at any size, and PNG is written. */
#include "photo_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/skip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void assert_reads_picture(int64_t height, int64_t width)
{
    struct photo photo = read_photo(image_path);
    assert_int_equal(photo.height, height);
    assert_int_equal(photo.width, width);
    for (int64_t channel = 0; channel < 3; channel++)
        for (int64_t i = 0; i < height; i++)
            for (int64_t j = 0; j < width; j++)
                assert_int_equal(photo.planes[(channel * height + i) * width + j], colour(i, j, channel));
    free(photo.planes);
}

static void a_ppm_is_read_as_planes(void **state)
{
    (void)state;
    write_ppm(5, 7);
    assert_reads_picture(5, 7);
}

static void assert_reads_one_pixel(int red, int green, int blue)
{
    struct photo photo = read_photo(image_path);
    assert_true(photo.height == 1 && photo.width == 1);
    assert_true(photo.planes[0] == red && photo.planes[1] == green && photo.planes[2] == blue);
    free(photo.planes);
}

static void a_ppm_may_hold_comments(void **state)
{
    (void)state;
    static const char text[] = "P6\n# made by hand\n1 1\n255\nabc";
    write_text(text, sizeof text - 1);
    assert_reads_one_pixel('a', 'b', 'c');
}

static void a_ppm_of_other_depth_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"P6 1 1 65535\nAaBbCc", "P6 1 1 127\n\x7F\x40\x01", "P6 1 1 0\nabc"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_text(texts[i], strlen(texts[i]));
        assert_refuses(image_path, "its largest value is not 255");
    }
}

static void what_follows_an_image_is_not_looked_at(void **state)
{
    (void)state;
    void (*const writers[])(int64_t, int64_t) = {write_ppm, write_png, write_jpeg};
    for (size_t i = 0; i < 3; i++) {
        writers[i](5, 6);
        FILE *file = fopen(image_path, "ab");
        assert_non_null(file);
        fputs("behind the end", file);
        fclose(file);
        struct photo photo = read_photo(image_path);
        assert_true(photo.height == 5 && photo.width == 6);
        free(photo.planes);
    }
}

static void a_png_is_read_as_planes(void **state)
{
    (void)state;
    write_png(30, 41);
    assert_reads_picture(30, 41);
}

/* JPEG is lossy, so the image has one colour on the left and another on the right. */
static void a_jpeg_is_read_as_planes(void **state)
{
    (void)state;
    enum { HEIGHT = 16, WIDTH = 32 };
    static const int left[3] = {200, 30, 90}, right[3] = {20, 220, 140};
    uint8_t rgb[HEIGHT * WIDTH * 3];
    for (int i = 0; i < HEIGHT * WIDTH * 3; i++)
        rgb[i] = (uint8_t)(i / 3 % WIDTH < WIDTH / 2 ? left : right)[i % 3];
    write_jpeg_of(rgb, HEIGHT, WIDTH, NULL);
    struct photo photo = read_photo(image_path);
    assert_int_equal(photo.height, HEIGHT);
    assert_int_equal(photo.width, WIDTH);
    for (int channel = 0; channel < 3; channel++) {
        const uint8_t *row = photo.planes + (channel * HEIGHT + 9) * WIDTH;
        assert_in_range(row[3] + 10, left[channel], left[channel] + 20);
        assert_in_range(row[WIDTH - 3] + 10, right[channel], right[channel] + 20);
    }
    free(photo.planes);
}

static void a_gray_png_is_written_and_read_back(void **state)
{
    (void)state;
    enum { HEIGHT = 31, WIDTH = 65 };
    uint8_t gray[HEIGHT * WIDTH];
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        gray[i] = colour(i / WIDTH, i % WIDTH, 0);
    struct bytes png;
    png.data = photo_encode_gray(gray, HEIGHT, WIDTH, &png.count);
    assert_non_null(png.data);
    assert_memory_equal(png.data, "\211PNG\r\n\032\n", 8);
    write_image(png);
    struct photo photo = read_photo(image_path);
    assert_int_equal(photo.height, HEIGHT);
    assert_int_equal(photo.width, WIDTH);
    for (int channel = 0; channel < 3; channel++)
        assert_memory_equal(photo.planes + channel * HEIGHT * WIDTH, gray, sizeof gray);
    free(photo.planes);
    free(png.data);
}

static void one_pixel_is_an_image(void **state)
{
    (void)state;
    write_ppm(1, 1);
    assert_reads_picture(1, 1);
    write_png(1, 1);
    assert_reads_picture(1, 1);
    write_jpeg(1, 1);
    struct photo photo = read_photo(image_path);
    assert_true(photo.height == 1 && photo.width == 1);
    free(photo.planes);
    uint8_t gray = 77;
    size_t bytes;
    uint8_t *png = photo_encode_gray(&gray, 1, 1, &bytes);
    assert_non_null(png);
    free(png);
}

/* libjpeg's limit is 65500. */
static void an_image_may_be_65535_wide_or_high(void **state)
{
    (void)state;
    write_ppm(2, 65535);
    assert_reads_picture(2, 65535);
    write_png(2, 65535);
    assert_reads_picture(2, 65535);
    write_ppm(65535, 1);
    assert_reads_picture(65535, 1);
    write_jpeg(1, 65500);
    struct photo photo = read_photo(image_path);
    assert_int_equal(photo.width, 65500);
    free(photo.planes);
}

static void a_gray_png_may_be_65535_wide(void **state)
{
    (void)state;
    struct bytes gray = allocate_bytes(3 * 65535), png;
    for (size_t i = 0; i < gray.count; i++)
        gray.data[i] = (uint8_t)(i * 31);
    png.data = photo_encode_gray(gray.data, 3, 65535, &png.count);
    assert_non_null(png.data);
    write_image(png);
    struct photo photo = read_photo(image_path);
    assert_int_equal(photo.width, 65535);
    assert_memory_equal(photo.planes, gray.data, gray.count);
    free(photo.planes);
    free(png.data);
    free(gray.data);
}

static void the_real_photo_is_read(void **state)
{
    (void)state;
    char real[4096];
    find_real_input(real, "puppy.jpg", "photo");
    struct photo photo = read_photo(real);
    assert_int_equal(photo.height, 1330);
    assert_int_equal(photo.width, 1920);
    free(photo.planes);
}

#define test(function) cmocka_unit_test_setup_teardown(function, remove_file, remove_file)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_ppm_is_read_as_planes),
        test(a_ppm_may_hold_comments),
        test(a_ppm_of_other_depth_is_refused),
        test(what_follows_an_image_is_not_looked_at),
        test(a_png_is_read_as_planes),
        test(a_jpeg_is_read_as_planes),
        test(a_gray_png_is_written_and_read_back),
        test(one_pixel_is_an_image),
        test(an_image_may_be_65535_wide_or_high),
        test(a_gray_png_may_be_65535_wide),
        test(the_real_photo_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
