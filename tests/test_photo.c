/* Photos: each format is read as it is meant, and a broken file is refused in one line that names it. */
#include "photo.h"
#include "photo_whole.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stb_image_write.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char path[] = "some.image";

struct bytes {
    size_t count;
    uint8_t *data;
};

static struct bytes allocate(size_t count)
{
    struct bytes bytes = {count, malloc(count + 1)};
    assert_non_null(bytes.data);
    return bytes;
}

static void write_file(struct bytes bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    if (bytes.count > 0)
        assert_int_equal(fwrite(bytes.data, 1, bytes.count, file), bytes.count);
    assert_int_equal(fclose(file), 0);
}

static struct bytes read_file(const char *name)
{
    struct stat status;
    assert_int_equal(stat(name, &status), 0);
    struct bytes bytes = allocate((size_t)status.st_size);
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes.data, 1, bytes.count, file), bytes.count);
    fclose(file);
    return bytes;
}

static int remove_file(void **state)
{
    (void)state;
    remove(path);
    return 0;
}

/* A picture whose pixels and channels all differ from their neighbours. */
static uint8_t colour(int64_t row, int64_t column, int64_t channel)
{
    return (uint8_t)(row * 37 + column * 11 + channel * 101 + row * column);
}

static struct bytes picture(int64_t height, int64_t width)
{
    struct bytes rgb = allocate((size_t)(height * width * 3));
    for (int64_t i = 0; i < height; i++)
        for (int64_t j = 0; j < width; j++)
            for (int64_t channel = 0; channel < 3; channel++)
                rgb.data[(i * width + j) * 3 + channel] = colour(i, j, channel);
    return rgb;
}

static void write_ppm(int64_t height, int64_t width)
{
    struct bytes rgb = picture(height, width), file = allocate(64 + rgb.count);
    int header = snprintf((char *)file.data, 64, "P6\n%d %d\n255\n", (int)width, (int)height);
    memcpy(file.data + header, rgb.data, rgb.count);
    write_file((struct bytes){(size_t)header + rgb.count, file.data});
    free(file.data);
    free(rgb.data);
}

static void write_png(int64_t height, int64_t width)
{
    struct bytes rgb = picture(height, width);
    assert_true(stbi_write_png(path, (int)width, (int)height, 3, rgb.data, (int)width * 3));
    free(rgb.data);
}

static void write_jpeg(int64_t height, int64_t width)
{
    struct bytes rgb = picture(height, width);
    assert_true(stbi_write_jpg(path, (int)width, (int)height, 3, rgb.data, 90));
    free(rgb.data);
}

static struct photo read_photo(const char *name)
{
    struct photo photo = {0};
    struct error error = {""};
    if (!photo_read(name, &photo, &error))
        fail_msg("%s", error.text);
    return photo;
}

static int is_refused(const char *name, struct error *error)
{
    struct photo photo = {0};
    if (!photo_read(name, &photo, error))
        return 1;
    free(photo.planes);
    return 0;
}

static void assert_reads_picture(int64_t height, int64_t width)
{
    struct photo photo = read_photo(path);
    assert_int_equal(photo.height, height);
    assert_int_equal(photo.width, width);
    for (int64_t channel = 0; channel < 3; channel++)
        for (int64_t i = 0; i < height; i++)
            for (int64_t j = 0; j < width; j++)
                assert_int_equal(photo.planes[(channel * height + i) * width + j], colour(i, j, channel));
    free(photo.planes);
}

static void assert_refuses(const char *name, const char *reason)
{
    struct error error = {""};
    assert_true(is_refused(name, &error));
    assert_non_null(strstr(error.text, "--image="));
    assert_non_null(strstr(error.text, name));
    assert_null(strchr(error.text, '\n'));
    if (!strstr(error.text, reason))
        fail_msg("'%s' does not say '%s'", error.text, reason);
}

static int passes_when_cut(struct bytes whole, size_t kept)
{
    struct error error = {""};
    write_file((struct bytes){kept, whole.data});
    if (is_refused(path, &error))
        return 0;
    print_message("%zu of %zu bytes pass for a whole image\n", kept, whole.count);
    return 1;
}

/* Cut at these many thousandths of its length, or so few bytes before its end, no file may pass for whole. */
static void assert_refuses_when_cut(const char *name)
{
    static const size_t thousandths[] = {1, 10, 100, 250, 500, 750, 900, 990, 999};
    static const size_t bytes_off[] = {1, 2, 3, 4, 5, 8, 13};
    struct bytes whole = read_file(name);
    int passed = 0;
    for (size_t i = 0; i < sizeof thousandths / sizeof thousandths[0]; i++)
        passed += passes_when_cut(whole, whole.count * thousandths[i] / 1000);
    for (size_t i = 0; i < sizeof bytes_off / sizeof bytes_off[0]; i++)
        passed += passes_when_cut(whole, whole.count - bytes_off[i]);
    free(whole.data);
    assert_int_equal(passed, 0);
}

static void a_ppm_is_read_as_planes(void **state)
{
    (void)state;
    write_ppm(5, 7);
    assert_reads_picture(5, 7);
}

static void write_text(const char *text, size_t count)
{
    write_file((struct bytes){count, (uint8_t *)text});
}

static void assert_reads_one_pixel(int red, int green, int blue)
{
    struct photo photo = read_photo(path);
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

/* stb_image reads these as they stand. They may be refused, but not be shown in other colours than they hold. */
static void a_ppm_of_other_depth_is_read_right_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int red, green, blue;
    } images[] = {
        {"P6 1 1 65535\nAaBbCc", 'A', 'B', 'C'},
        {"P6 1 1 127\n\x7F\x40\x01", 255, 129, 2},
    };
    for (size_t i = 0; i < 2; i++) {
        struct error error = {""};
        write_text(images[i].text, strlen(images[i].text));
        if (!is_refused(path, &error))
            assert_reads_one_pixel(images[i].red, images[i].green, images[i].blue);
    }
}

static void what_follows_an_image_is_not_looked_at(void **state)
{
    (void)state;
    write_png(5, 6);
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    fputs("behind the end", file);
    fclose(file);
    assert_reads_picture(5, 6);
}

static void other_formats_are_refused(void **state)
{
    (void)state;
    static const char gif[] = "GIF89a\1\0\1\0\200\0\0\377\377\377\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;";
    write_text(gif, sizeof gif - 1);
    assert_refuses(path, "JPEG, PNG or PPM");
    static const char plain_ppm[] = "P3\n1 1\n255\n1 2 3\n";
    write_text(plain_ppm, sizeof plain_ppm - 1);
    assert_refuses(path, "JPEG, PNG or PPM");
}

static void a_png_is_read_as_planes(void **state)
{
    (void)state;
    write_png(30, 41);
    assert_reads_picture(30, 41);
}

/* JPEG loses a little: here a left half of one colour and a right half of another. */
static void a_jpeg_is_read_as_planes(void **state)
{
    (void)state;
    enum { HEIGHT = 16, WIDTH = 32 };
    static const int left[3] = {200, 30, 90}, right[3] = {20, 220, 140};
    uint8_t rgb[HEIGHT * WIDTH * 3];
    for (int i = 0; i < HEIGHT * WIDTH * 3; i++)
        rgb[i] = (uint8_t)(i / 3 % WIDTH < WIDTH / 2 ? left : right)[i % 3];
    assert_true(stbi_write_jpg(path, WIDTH, HEIGHT, 3, rgb, 95));
    struct photo photo = read_photo(path);
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
    write_file(png);
    struct photo photo = read_photo(path);
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
    struct photo photo = read_photo(path);
    assert_true(photo.height == 1 && photo.width == 1);
    free(photo.planes);
    uint8_t gray = 77;
    size_t bytes;
    uint8_t *png = photo_encode_gray(&gray, 1, 1, &bytes);
    assert_non_null(png);
    free(png);
}

static void an_image_may_be_65535_wide_or_high(void **state)
{
    (void)state;
    write_ppm(2, 65535);
    assert_reads_picture(2, 65535);
    write_png(2, 65535);
    assert_reads_picture(2, 65535);
    write_ppm(65535, 1);
    assert_reads_picture(65535, 1);
    write_jpeg(1, 65535);
    struct photo photo = read_photo(path);
    assert_int_equal(photo.width, 65535);
    free(photo.planes);
}

static void a_gray_png_may_be_65535_wide(void **state)
{
    (void)state;
    struct bytes gray = allocate(3 * 65535), png;
    for (size_t i = 0; i < gray.count; i++)
        gray.data[i] = (uint8_t)(i * 31);
    png.data = photo_encode_gray(gray.data, 3, 65535, &png.count);
    assert_non_null(png.data);
    write_file(png);
    struct photo photo = read_photo(path);
    assert_int_equal(photo.width, 65535);
    assert_memory_equal(photo.planes, gray.data, gray.count);
    free(photo.planes);
    free(png.data);
    free(gray.data);
}

static void a_missing_file_is_refused(void **state)
{
    (void)state;
    assert_refuses("not-there.jpg", "No such file");
    assert_refuses("", "No such file");
}

static void a_folder_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkdir(path, 0777), 0);
    assert_refuses(path, "folder");
    rmdir(path);
}

static void an_empty_file_is_refused(void **state)
{
    (void)state;
    write_file((struct bytes){0, NULL});
    assert_refuses(path, "empty");
}

static void what_is_no_image_is_refused(void **state)
{
    (void)state;
    struct bytes noise = allocate(5000);
    for (uint8_t first = 0; first < 255; first++) {
        for (size_t i = 0; i < noise.count; i++)
            noise.data[i] = (uint8_t)(first + i * i);
        write_file(noise);
        assert_refuses(path, "JPEG, PNG or PPM");
    }
    free(noise.data);
    static const char text[] = "This is no picture.\n";
    write_text(text, sizeof text - 1);
    assert_refuses(path, "JPEG, PNG or PPM");
}

static void an_image_without_pixels_is_refused(void **state)
{
    (void)state;
    static const char *const headers[] = {"P6\n0 5\n255\n", "P6\n5 0\n255\n", "P6\n0 0\n255\n", "P6\n", "P6"};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        write_text(headers[i], strlen(headers[i]));
        assert_refuses(path, "");
    }
}

static void sizes_out_of_reach_are_refused(void **state)
{
    (void)state;
    static const char *const headers[] = {"P6\n99999999999 1\n255\n", "P6\n16777216 16777216\n255\n",
                                          "P6\n-5 -5\n255\n", "P6\n2147483647 2147483647\n255\n"};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "%sabcdefgh", headers[i]);
        write_text(text, strlen(text));
        assert_refuses(path, "");
    }
}

static void a_cut_ppm_is_refused(void **state)
{
    (void)state;
    write_ppm(40, 60);
    assert_refuses_when_cut(path);
}

static void a_cut_png_is_refused(void **state)
{
    (void)state;
    write_png(200, 300);
    assert_refuses_when_cut(path);
}

static void a_cut_jpeg_is_refused(void **state)
{
    (void)state;
    write_jpeg(200, 300);
    assert_refuses_when_cut(path);
}

/* Whatever stb_image makes of them. */
static void no_part_of_a_file_is_whole(void **state)
{
    (void)state;
    void (*const writers[])(int64_t, int64_t) = {write_ppm, write_png, write_jpeg};
    for (size_t i = 0; i < 3; i++) {
        writers[i](20, 30);
        struct bytes whole = read_file(path);
        assert_null(photo_trouble(whole.data, whole.count));
        for (size_t kept = 0; kept < whole.count; kept++)
            assert_non_null(photo_trouble(whole.data, kept));
        free(whole.data);
    }
}

static void a_jpeg_with_a_hole_is_refused(void **state)
{
    (void)state;
    write_jpeg(200, 300);
    struct bytes jpeg = read_file(path);
    memset(jpeg.data + jpeg.count / 2, 0xFF, 500);
    for (size_t i = 0; i < 500; i += 2)
        jpeg.data[jpeg.count / 2 + i + 1] = 0xC3;
    write_file(jpeg);
    assert_refuses(path, "");
    free(jpeg.data);
}

static void a_png_with_spoilt_pixels_is_refused(void **state)
{
    (void)state;
    write_png(60, 70);
    struct bytes png = read_file(path);
    for (size_t at = 45; at + 20 < png.count; at += png.count / 7) {
        png.data[at] ^= 0x20;
        write_file(png);
        assert_refuses(path, "");
        png.data[at] ^= 0x20;
    }
    free(png.data);
}

static void a_png_with_a_spoilt_header_is_refused(void **state)
{
    (void)state;
    for (size_t at = 0; at < 24; at++) {
        write_png(6, 7);
        struct bytes png = read_file(path);
        png.data[at] ^= 0x40;
        write_file(png);
        assert_refuses(path, "");
        free(png.data);
    }
}

static void the_real_photo_is_read(void **state)
{
    (void)state;
    const char real[] = TEST_DATA_DIR "/puppy.jpg";
    if (access(real, R_OK) != 0)
        skip();
    struct photo photo = read_photo(real);
    assert_int_equal(photo.height, 1330);
    assert_int_equal(photo.width, 1920);
    free(photo.planes);
}

static void the_real_photo_cut_is_refused(void **state)
{
    (void)state;
    const char real[] = TEST_DATA_DIR "/puppy.jpg";
    if (access(real, R_OK) != 0)
        skip();
    assert_refuses_when_cut(real);
}

#define test(function) cmocka_unit_test_setup_teardown(function, remove_file, remove_file)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_ppm_is_read_as_planes),
        test(a_ppm_may_hold_comments),
        test(a_ppm_of_other_depth_is_read_right_or_refused),
        test(what_follows_an_image_is_not_looked_at),
        test(other_formats_are_refused),
        test(a_png_is_read_as_planes),
        test(a_jpeg_is_read_as_planes),
        test(a_gray_png_is_written_and_read_back),
        test(one_pixel_is_an_image),
        test(an_image_may_be_65535_wide_or_high),
        test(a_gray_png_may_be_65535_wide),
        test(a_missing_file_is_refused),
        test(a_folder_is_refused),
        test(an_empty_file_is_refused),
        test(what_is_no_image_is_refused),
        test(an_image_without_pixels_is_refused),
        test(sizes_out_of_reach_are_refused),
        test(a_cut_ppm_is_refused),
        test(a_cut_png_is_refused),
        test(a_cut_jpeg_is_refused),
        test(no_part_of_a_file_is_whole),
        test(a_jpeg_with_a_hole_is_refused),
        test(a_png_with_spoilt_pixels_is_refused),
        test(a_png_with_a_spoilt_header_is_refused),
        test(the_real_photo_is_read),
        test(the_real_photo_cut_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
