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
#include <zlib.h>

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

/* The nearest of 256 levels. */
static void any_netpbm_of_samples_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
        int red, green, blue;
    } files[] = {
        {"P3 1 1 255 1 20\n255", 0, 1, 20, 255},    {"P3\n1 1\n9\n0 # none\n4 9", 0, 0, 113, 255},
        {"P2 1 1 255 77", 0, 77, 77, 77},           {"P5 1 1 255\nM", 0, 'M', 'M', 'M'},
        {"P6 1 1 1\n\1\0\1", 12, 255, 0, 255},      {"P6 1 1 15\n\1\7\x0F", 0, 17, 119, 255},
        {"P6 1 1 127\n\x7F\x40\1", 0, 255, 129, 2}, {"P6 1 1 256\n\0\1\0\x80\1\0", 17, 1, 128, 255},
        {"P5 1 1 65535\n\0\xFF", 15, 1, 1, 1},      {"P2 1 1 65535 32767", 0, 127, 127, 127},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_text(files[i].text, files[i].bytes ? files[i].bytes : strlen(files[i].text));
        assert_reads_one_pixel(files[i].red, files[i].green, files[i].blue);
    }
}

static void samples_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } files[] = {
        {"P6 1 1 0\nabc", "largest value is 0, expected 1 to 65535"},
        {"P6 1 1 65536\naabbcc", "largest value is 65536, expected 1 to 65535"},
        {"P6 1 1 15\nabc", "a sample is 97, expected its largest value, 15, at most"},
        {"P2 1 1 15 16", "a sample is 16"},
        {"P2 1 1 15 x", "its samples are not all numbers"},
        {"P3 1 1 15 1 2", "truncated"},
        {"P6 1 1 65535\naabbc", "truncated"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_text(files[i].text, strlen(files[i].text));
        assert_refuses(image_path, files[i].reason);
    }
}

/* EXIF says at which sides of the picture the first row and the first column of the file are shown. */
static const char sides[][3] = {"", "tl", "tr", "br", "bl", "lt", "rt", "rb", "lb"};
enum { EXIF = 26 };

static void make_exif(bool little, int orientation, uint8_t exif[EXIF])
{
    static const uint8_t big_endian[EXIF] = {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1};
    static const uint8_t little_endian[EXIF] = {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1};
    memcpy(exif, little ? little_endian : big_endian, EXIF);
    exif[little ? 18 : 19] = (uint8_t)orientation;
}

/* Puts `count` bytes into the image, behind the first `at` of them. */
static void insert(struct bytes image, size_t at, const uint8_t *bytes, size_t count)
{
    struct bytes whole = allocate_bytes(image.count + count);
    memcpy(whole.data, image.data, at);
    memcpy(whole.data + at, bytes, count);
    memcpy(whole.data + at + count, image.data + at, image.count - at);
    write_image(whole);
    free(whole.data);
}

static void insert_in_jpeg(struct bytes jpeg, const uint8_t exif[EXIF])
{
    uint8_t segment[10 + EXIF] = {0xFF, 0xE1, 0, 8 + EXIF, 'E', 'x', 'i', 'f'};
    memcpy(segment + 10, exif, EXIF);
    insert(jpeg, 2, segment, sizeof segment);
}

static void insert_in_png(struct bytes png, const uint8_t exif[EXIF])
{
    const size_t header = 33;
    uint8_t chunk[8 + EXIF + 4] = {0, 0, 0, EXIF, 'e', 'X', 'I', 'f'};
    memcpy(chunk + 8, exif, EXIF);
    uint32_t checksum = (uint32_t)crc32(0, chunk + 4, 4 + EXIF);
    for (int i = 0; i < 4; i++)
        chunk[8 + EXIF + i] = (uint8_t)(checksum >> (24 - 8 * i));
    insert(png, header, chunk, sizeof chunk);
}

static const struct {
    void (*write)(int64_t height, int64_t width);
    void (*insert)(struct bytes image, const uint8_t exif[EXIF]);
} formats[] = {{write_jpeg, insert_in_jpeg}, {write_png, insert_in_png}};

/* Where an index from the side that is named leads. */
static void go(char side, int64_t index, const struct photo *shown, int64_t *row, int64_t *column)
{
    *(side == 't' || side == 'b' ? row : column) = side == 't' || side == 'l' ? index
                                                   : side == 'b'              ? shown->height - 1 - index
                                                                              : shown->width - 1 - index;
}

static void assert_shows(const struct photo *file, int orientation)
{
    struct photo shown = read_photo(image_path);
    const char *side = sides[orientation];
    int64_t row = 0, column = 0, pixels = file->height * file->width;
    assert_int_equal(shown.height * shown.width, pixels);
    assert_int_equal(shown.height, orientation < 5 ? file->height : file->width);
    for (int64_t i = 0; i < 3 * pixels; i++) {
        go(side[0], i % pixels / file->width, &shown, &row, &column);
        go(side[1], i % file->width, &shown, &row, &column);
        if (shown.planes[i / pixels * pixels + row * shown.width + column] != file->planes[i])
            fail_msg("orientation %d: sample %d is not where it should be", orientation, (int)i);
    }
    free(shown.planes);
}

static void a_photo_is_turned_as_its_exif_says(void **state)
{
    (void)state;
    for (size_t format = 0; format < 2; format++) {
        formats[format].write(5, 8);
        struct photo file = read_photo(image_path);
        struct bytes image = read_bytes(image_path);
        for (int orientation = 1; orientation <= 8; orientation++)
            for (int little = 0; little < 2; little++) {
                uint8_t exif[EXIF];
                make_exif(little, orientation, exif);
                formats[format].insert(image, exif);
                assert_shows(&file, orientation);
            }
        free(file.planes);
        free(image.data);
    }
}

/* Any byte of it may be any other. */
static void exif_that_is_spoilt_spoils_no_photo(void **state)
{
    (void)state;
    for (size_t format = 0; format < 2; format++) {
        formats[format].write(5, 8);
        struct bytes image = read_bytes(image_path);
        for (int i = 0; i < 6 * EXIF; i++) {
            uint8_t exif[EXIF];
            make_exif(i % 2, 6, exif);
            exif[i / 6] = (uint8_t)(i % 6 * 51);
            formats[format].insert(image, exif);
            free(read_photo(image_path).planes);
        }
        free(image.data);
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
    struct error error;
    png.data = photo_encode_gray(gray, HEIGHT, WIDTH, &png.count, &error);
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
    struct error error;
    uint8_t *png = photo_encode_gray(&gray, 1, 1, &bytes, &error);
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
    struct error error;
    png.data = photo_encode_gray(gray.data, 3, 65535, &png.count, &error);
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
        test(any_netpbm_of_samples_is_read),
        test(samples_that_cannot_be_are_refused),
        test(a_photo_is_turned_as_its_exif_says),
        test(exif_that_is_spoilt_spoils_no_photo),
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
