/* Photos: damaged files, truncated files and other files are refused with one line that names the file. */
#define _GNU_SOURCE /* memmem() */
#include "photo_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/skip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Whether the first `kept` bytes of the file, which has more now, pass for a whole image. */
static int passes_when_cut(size_t kept)
{
    struct error error = {""};
    assert_int_equal(truncate(image_path, (off_t)kept), 0);
    if (is_refused(image_path, &error))
        return 0;
    print_message("%zu bytes pass for a whole image\n", kept);
    return 1;
}

/* A file without its last few bytes, or truncated to these thousandths of its length, is never accepted. */
static void assert_refuses_when_cut(void)
{
    static const size_t bytes_off[] = {1, 2, 3, 4, 5, 8, 13};
    static const size_t thousandths[] = {999, 990, 900, 750, 500, 250, 100, 10, 1};
    struct bytes whole = read_bytes(image_path);
    int passed = 0;
    for (size_t i = 0; i < sizeof bytes_off / sizeof bytes_off[0]; i++)
        passed += passes_when_cut(whole.count - bytes_off[i]);
    for (size_t i = 0; i < sizeof thousandths / sizeof thousandths[0]; i++)
        passed += passes_when_cut(whole.count * thousandths[i] / 1000);
    free(whole.data);
    assert_int_equal(passed, 0);
}

#define FILE_OF(bytes, kind)                                    \
    {                                                           \
        bytes "and more of it", sizeof bytes - 1, "it is " kind \
    }

static void other_formats_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t count;
        const char *reason;
    } files[] = {
        FILE_OF("GIF89a\1\0\1\0", "a GIF image"),
        FILE_OF("RIFF\x24\0\0\0WEBPVP8 ", "a WebP image"),
        FILE_OF("\0\0\0\x18"
                "ftypheic",
                "a HEIC image"),
        FILE_OF("\0\0\0\x1C"
                "ftypavif",
                "an AVIF image"),
        FILE_OF("\0\0\0\x18"
                "ftypisom",
                "a video"),
        FILE_OF("II*\0\x08\0\0\0", "a TIFF image"),
        FILE_OF("MM\0*\0\0\0\x08", "a TIFF image"),
        FILE_OF("P4 8 1\n\x0F", "a PBM image"),
        FILE_OF("<svg xmlns=", "an SVG image"),
        FILE_OF("\n<!DOCTYPE html>", "HTML"),
        FILE_OF("\xEF\xBB\xBF<html>", "HTML"),
        FILE_OF("version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS"),
        FILE_OF("{\"error\": 403}\n", "text"),
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_text(files[i].bytes, files[i].count);
        assert_refuses(image_path, files[i].reason);
        assert_refuses(image_path, "JPEG, PNG, PPM or PGM");
    }
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
    assert_int_equal(mkdir(image_path, 0777), 0);
    assert_refuses(image_path, "folder");
    rmdir(image_path);
}

/* Nobody writes to it: it would be waited for. */
static void a_pipe_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(image_path, 0666), 0);
    assert_refuses(image_path, "is a pipe");
}

static void an_empty_file_is_refused(void **state)
{
    (void)state;
    write_image((struct bytes){0, NULL});
    assert_refuses(image_path, "empty");
}

static void what_is_no_image_is_refused(void **state)
{
    (void)state;
    struct bytes noise = allocate_bytes(5000);
    for (uint8_t first = 0; first < 255; first++) {
        for (size_t i = 0; i < noise.count; i++)
            noise.data[i] = (uint8_t)(first + i * i);
        write_image(noise);
        assert_refuses(image_path, "JPEG, PNG, PPM or PGM");
    }
    free(noise.data);
    static const char text[] = "This is no picture.\n";
    write_text(text, sizeof text - 1);
    assert_refuses(image_path, "JPEG, PNG, PPM or PGM");
}

static void an_image_without_pixels_is_refused(void **state)
{
    (void)state;
    static const char *const headers[] = {"P6\n0 5\n255\n", "P6\n5 0\n255\n", "P6\n0 0\n255\n", "P6\n", "P6"};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        write_text(headers[i], strlen(headers[i]));
        assert_refuses(image_path, "");
    }
}

static void sizes_too_large_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *header, *reason;
    } images[] = {
        {"P6\n99999999999 1\n255\n", "expected 268435456 at most"},
        {"P6\n999999 300\n255\n", "300x999999 pixels, expected 268435456 at most"},
        {"P6\n1000001 1\n255\n", "1x1000001 pixels, expected 268435456 at most, and 1000000 on a side"},
        {"P6\n2147483647 2147483647\n255\n", "expected 268435456 at most"},
        {"P6\n18446744073709551617 18446744073709551617\n255\n", "expected 268435456 at most"},
        {"P6\n16384 16384\n255\n", "truncated: 8 bytes do not hold 16384x16384 pixels"},
        {"P6\n-5 -5\n255\n", "no valid width and height"},
        {"P6\n1 1\n255", "not followed by white space"},
    };
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "%sabcdefgh", images[i].header);
        write_text(text, strlen(text));
        assert_refuses(image_path, images[i].reason);
    }
}

static void put_big_endian(uint8_t *to, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static void put_png_size(struct bytes png, uint32_t height, uint32_t width)
{
    enum { HEADER = 12, WIDTH = 16, HEIGHT = 20, CHECKSUM = 29 };
    put_big_endian(png.data + WIDTH, width, 4);
    put_big_endian(png.data + HEIGHT, height, 4);
    put_big_endian(png.data + CHECKSUM, (uint32_t)crc32(0, png.data + HEADER, CHECKSUM - HEADER), 4);
}

static void png_sizes_beyond_the_data_are_refused(void **state)
{
    (void)state;
    write_png(6, 7);
    struct bytes png = read_bytes(image_path);
    static const struct {
        uint32_t height, width;
        const char *reason;
    } sizes[] = {{16384, 16384, "truncated"}, {65535, 65535, "at most"}, {7, 7, ""}, {0, 7, ""}, {6, 2000000, "IHDR"}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        put_png_size(png, sizes[i].height, sizes[i].width);
        write_image(png);
        assert_refuses(image_path, sizes[i].reason);
    }
    free(png.data);
}

/* Behind the marker of the frame: length, precision, then the sizes. */
static void jpeg_sizes_beyond_the_data_are_refused(void **state)
{
    (void)state;
    write_jpeg(6, 7);
    struct bytes jpeg = read_bytes(image_path);
    uint8_t *frame = memmem(jpeg.data, jpeg.count, "\xFF\xC0", 2);
    assert_non_null(frame);
    static const struct {
        uint32_t height, width;
        const char *reason;
    } sizes[] = {
        {16384, 16384, "truncated"}, {65000, 65000, "at most"}, {65535, 65535, "65500"}, {70, 7, ""}, {0, 7, ""}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        put_big_endian(frame + 5, sizes[i].height, 2);
        put_big_endian(frame + 7, sizes[i].width, 2);
        write_image(jpeg);
        assert_refuses(image_path, sizes[i].reason);
    }
    free(jpeg.data);
}

static void a_cut_ppm_is_refused(void **state)
{
    (void)state;
    write_ppm(40, 60);
    assert_refuses_when_cut();
}

static void a_cut_png_is_refused(void **state)
{
    (void)state;
    write_png(200, 300);
    assert_refuses_when_cut();
}

static void a_cut_jpeg_is_refused(void **state)
{
    (void)state;
    write_jpeg(200, 300);
    assert_refuses_when_cut();
}

static void no_part_of_a_file_is_whole(void **state)
{
    (void)state;
    void (*const writers[])(int64_t, int64_t) = {write_ppm, write_png, write_jpeg};
    int passed = 0;
    for (size_t i = 0; i < 3; i++) {
        writers[i](20, 30);
        struct bytes whole = read_bytes(image_path);
        for (size_t kept = whole.count; kept-- > 0;)
            passed += passes_when_cut(kept);
        free(whole.data);
    }
    assert_int_equal(passed, 0);
}

static void a_jpeg_with_a_hole_is_refused(void **state)
{
    (void)state;
    write_jpeg(200, 300);
    struct bytes jpeg = read_bytes(image_path);
    memset(jpeg.data + jpeg.count / 2, 0xFF, 500);
    for (size_t i = 0; i < 500; i += 2)
        jpeg.data[jpeg.count / 2 + i + 1] = 0xC3;
    write_image(jpeg);
    assert_refuses(image_path, "");
    free(jpeg.data);
}

static void a_png_with_spoilt_pixels_is_refused(void **state)
{
    (void)state;
    write_png(60, 70);
    struct bytes png = read_bytes(image_path);
    for (size_t at = 45; at + 20 < png.count; at += png.count / 7) {
        png.data[at] ^= 0x20;
        write_image(png);
        assert_refuses(image_path, "");
        png.data[at] ^= 0x20;
    }
    free(png.data);
}

/* libpng could make the picture all the same. */
static void a_png_with_more_pixels_than_it_says_is_refused(void **state)
{
    (void)state;
    write_png(7, 7);
    struct bytes png = read_bytes(image_path);
    put_png_size(png, 6, 7);
    write_image(png);
    assert_refuses(image_path, "Too much image data");
    free(png.data);
}

static void a_png_with_a_spoilt_header_is_refused(void **state)
{
    (void)state;
    for (size_t at = 0; at < 24; at++) {
        write_png(6, 7);
        struct bytes png = read_bytes(image_path);
        png.data[at] ^= 0x40;
        write_image(png);
        assert_refuses(image_path, "");
        free(png.data);
    }
}

static void the_real_photo_cut_is_refused(void **state)
{
    (void)state;
    char real[4096];
    find_real_input(real, "puppy.jpg", "photo");
    struct bytes photo = read_bytes(real);
    write_image(photo);
    free(photo.data);
    assert_refuses_when_cut();
}

#define test(function) cmocka_unit_test_setup_teardown(function, remove_file, remove_file)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(other_formats_are_named),
        test(a_missing_file_is_refused),
        test(a_folder_is_refused),
        test(a_pipe_is_refused),
        test(an_empty_file_is_refused),
        test(what_is_no_image_is_refused),
        test(an_image_without_pixels_is_refused),
        test(sizes_too_large_are_refused),
        test(png_sizes_beyond_the_data_are_refused),
        test(jpeg_sizes_beyond_the_data_are_refused),
        test(a_cut_ppm_is_refused),
        test(a_cut_png_is_refused),
        test(a_cut_jpeg_is_refused),
        test(no_part_of_a_file_is_whole),
        test(a_jpeg_with_a_hole_is_refused),
        test(a_png_with_spoilt_pixels_is_refused),
        test(a_png_with_more_pixels_than_it_says_is_refused),
        test(a_png_with_a_spoilt_header_is_refused),
        test(the_real_photo_cut_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
