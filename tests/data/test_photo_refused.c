/* Photos: damaged files, truncated files and other files are refused with one line that names the file. */
#define _GNU_SOURCE /* memmem() */
#include "photo_files.h"
#include "tests/unit.h"

#include <zlib.h>

static photo_writer *const writers[] = {write_ppm, write_png, write_jpeg};
enum { WRITERS = 3 };

#define FILE_OF(bytes, reason)                           \
    {                                                    \
        bytes "and more of it", sizeof bytes - 1, reason \
    }

TEST(what_is_no_image_is_shown_by_how_it_begins)
{
    static const struct {
        const char *bytes;
        size_t count;
        const char *reason;
    } files[] = {
        FILE_OF("RIFF\x24\0\0\0WEBPVP8 ", "it begins with 'RIFF$???WEBPVP8 '"),
        FILE_OF("\0\0\0\x18\x66typheic", "it begins with '????ftypheic"),
        FILE_OF("P4 8 1\n\x0F", "it begins with 'P4 8 1??"),
        FILE_OF("version https://git-lfs.github.com/spec/v1\n", "it begins with 'version https://git-lfs'"),
        {"P", 1, "it begins with 'P'"},
        {"", 0, "it is empty"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_bytes(files[i].bytes, files[i].count);
        assert_refuses(data_path, files[i].reason);
        assert_refuses(data_path, "cannot be read as a JPEG, PNG, PPM or PGM image");
    }
    assert_refuses("not-there.jpg", "No such file");
    remove(data_path);
    assert_int_equal(mkfifo(data_path, 0666), 0); /* to which nobody writes */
    assert_refuses(data_path, "is a pipe");
}

TEST(headers_and_samples_of_netpbm_that_cannot_be_are_refused)
{
    static const struct {
        const char *text, *reason;
    } images[] = {
        {"P6", "no valid width and height"},
        {"P6\n0 5\n255\nabcdefgh", "no valid width and height"},
        {"P6\n5 0\n255\nabcdefgh", "no valid width and height"},
        {"P6\n-5 -5\n255\nabcdefgh", "no valid width and height"},
        {"P6\n99999999999 1\n255\nabcdefgh", "expected 268435456 at most"},
        {"P6\n999999 300\n255\nabcdefgh", "300x999999 pixels, expected 268435456 at most"},
        {"P6\n1000001 1\n255\nabcdefgh", "1x1000001 pixels, expected 268435456 at most, and 1000000 on a side"},
        {"P6\n18446744073709551617 18446744073709551617\n255\nabcdefgh", "expected 268435456 at most"},
        {"P6\n16384 16384\n255\nabcdefgh", "the file is truncated"},
        {"P6\n1 1\n255abcdefgh", "not followed by white space"},
        {"P6 1 1 0\nabc", "largest value is 0, expected 1 to 65535"},
        {"P6 1 1 65536\naabbcc", "largest value is 65536, expected 1 to 65535"},
        {"P6 1 1 15\nabc", "a sample is 97, expected its largest value, 15, at most"},
        {"P2 1 1 15 16", "a sample is 16"},
        {"P2 1 1 15 x", "its samples are not all numbers"},
        {"P2 1 1 15 -1", "its samples are not all numbers"},
        {"P3 1 1 15 1 2", "truncated"},
        {"P6 1 1 65535\naabbc", "truncated"},
    };
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        write_bytes(images[i].text, strlen(images[i].text));
        assert_refuses(data_path, images[i].reason);
    }
}

static void put_png_size(uint8_t *png, uint32_t height, uint32_t width)
{
    enum { HEADER = 12, WIDTH = 16, HEIGHT = 20, CHECKSUM = 29 };
    put_big_endian(png + WIDTH, width, 4);
    put_big_endian(png + HEIGHT, height, 4);
    put_big_endian(png + CHECKSUM, (uint32_t)crc32(0, png + HEADER, CHECKSUM - HEADER), 4);
}

/* Behind the marker of the frame: length, precision, then the sizes. */
static void put_jpeg_size(uint8_t *frame, uint32_t height, uint32_t width)
{
    put_big_endian(frame + 5, height, 2);
    put_big_endian(frame + 7, width, 2);
}

/* libpng could make a picture of too many pixels all the same. */
TEST(sizes_beyond_the_data_are_refused)
{
    static const struct {
        bool is_png;
        uint32_t height, width;
        const char *reason;
    } sizes[] = {
        {true, 16384, 16384, ""},
        {true, 65535, 65535, "at most"},
        {true, 7, 7, ""},
        {true, 0, 7, ""},
        {true, 6, 2000000, "IHDR"},
        {true, 5, 7, "Too much image data"},
        {false, 16384, 16384, "premature end"},
        {false, 65000, 65000, "at most"},
        {false, 65535, 65535, "65500"},
        {false, 70, 7, ""},
        {false, 0, 7, ""},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        (sizes[i].is_png ? write_png : write_jpeg)(6, 7);
        struct bytes image = read_bytes(data_path);
        if (sizes[i].is_png)
            put_png_size(image.data, sizes[i].height, sizes[i].width);
        else
            put_jpeg_size(memmem(image.data, image.count, "\xFF\xC0", 2), sizes[i].height, sizes[i].width);
        write_bytes(image.data, image.count);
        assert_refuses(data_path, sizes[i].reason);
        free(image.data);
    }
}

TEST(no_part_of_a_file_is_whole)
{
    for (size_t i = 0; i < WRITERS; i++) {
        writers[i](20, 30);
        struct bytes whole = read_bytes(data_path);
        for (size_t kept = whole.count; kept-- > 0;) {
            struct error error;
            assert_int_equal(truncate(data_path, (off_t)kept), 0);
            if (!is_refused(data_path, &error))
                fail_msg("%zu bytes pass for a whole image", kept);
        }
        free(whole.data);
    }
}

/* A byte of the header, the pixels or the checksums of a PNG; 500 bytes of a JPEG. */
TEST(spoilt_images_are_refused)
{
    write_png(60, 70);
    struct bytes image = read_bytes(data_path);
    for (size_t at = 0; at < image.count; at += at < 60 ? 1 : image.count / 50) {
        image.data[at] ^= 0x60;
        write_bytes(image.data, image.count);
        assert_refuses(data_path, "");
        image.data[at] ^= 0x60;
    }
    free(image.data);
    write_jpeg(200, 300);
    image = read_bytes(data_path);
    for (size_t i = 0; i < 500; i++)
        image.data[image.count / 2 + i] = i % 2 ? 0xC3 : 0xFF;
    write_bytes(image.data, image.count);
    assert_refuses(data_path, "");
    free(image.data);
}

AROUND_EACH_TEST(remove_data, remove_data)
