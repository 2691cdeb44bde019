/* Photos: each format is read correctly at any size and turned as it should be. */
#include "photo_files.h"
#include "tests/unit.h"
#include "tests/skip.h"

#include <zlib.h>

static photo_writer *const writers[] = {write_ppm, write_png, write_jpeg};
enum { PPM, PNG, JPEG, WRITERS };

/* JPEG is lossy; its colours are tested apart. 65500 is libjpeg's limit. */
TEST(images_of_any_size_are_read_as_planes)
{
    static const int64_t sizes[][2] = {{1, 1}, {5, 7}, {30, 41}, {2, 65500}, {65500, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int format = 0; format < WRITERS; format++) {
            const int64_t height = sizes[i][0], width = sizes[i][1];
            writers[format](height, width);
            struct photo photo = read_photo(data_path, height, width);
            for (int64_t at = 0; at < 3 * height * width && format != JPEG; at++)
                assert_int_equal(photo.planes[at], colour(at / width % height, at % width, at / width / height));
            free(photo.planes);
        }
}

/* The nearest of 256 levels. */
TEST(any_netpbm_of_samples_is_read)
{
    static const struct {
        const char *text;
        size_t bytes; /* 0: those of the text */
        uint8_t rgb[3];
    } files[] = {
        {"P3 1 1 255 1 20\n255", 0, {1, 20, 255}},
        {"P3\n1 1\n9\n0 # none\n4 9", 0, {0, 113, 255}},
        {"P2 1 1 255 77", 0, {77, 77, 77}},
        {"P5 1 1 255\nM", 0, {'M', 'M', 'M'}},
        {"P6 1 1 1\n\1\0\1", 12, {255, 0, 255}},
        {"P6 1 1 15\n\1\7\x0F", 0, {17, 119, 255}},
        {"P6 1 1 127\n\x7F\x40\1", 0, {255, 129, 2}},
        {"P6 1 1 256\n\0\1\0\x80\1\0", 17, {1, 128, 255}},
        {"P5 1 1 65535\n\0\xFF", 15, {1, 1, 1}},
        {"P2 1 1 65535 32767", 0, {127, 127, 127}},
        {"P6\n# c\n1 1#\n255\nabc", 0, {'a', 'b', 'c'}},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_bytes(files[i].text, files[i].bytes ? files[i].bytes : strlen(files[i].text));
        struct photo photo = read_photo(data_path, 1, 1);
        assert_memory_equal(photo.planes, files[i].rgb, 3);
        free(photo.planes);
    }
}

/* EXIF says at which sides of the picture the first row and the first column of the file are shown: from 1 to 8. */
static const char sides[][3] = {"tl", "tl", "tr", "br", "bl", "lt", "rt", "rb", "lb", "tl"};
enum { ORIENTATIONS = sizeof sides / sizeof sides[0], HEIGHT = 5, WIDTH = 8, PIXELS = HEIGHT * WIDTH, EXIF = 26 };

static void make_exif(bool little, int orientation, uint8_t exif[EXIF])
{
    static const uint8_t big_endian[EXIF] = {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1};
    static const uint8_t little_endian[EXIF] = {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1};
    memcpy(exif, little ? little_endian : big_endian, EXIF);
    exif[little ? 18 : 19] = (uint8_t)orientation;
}

/* Writes the image with a segment or a chunk of EXIF. */
static void insert(struct bytes image, int format, const uint8_t exif[EXIF])
{
    uint8_t segment[10 + EXIF] = {0xFF, 0xE1, 0, 8 + EXIF, 'E', 'x', 'i', 'f'};
    uint8_t chunk[8 + EXIF + 4] = {0, 0, 0, EXIF, 'e', 'X', 'I', 'f'};
    memcpy(segment + 10, exif, EXIF);
    memcpy(chunk + 8, exif, EXIF);
    put_big_endian(chunk + 8 + EXIF, (uint32_t)crc32(0, chunk + 4, 4 + EXIF), 4);
    const size_t at = format == JPEG ? 2 : 33, count = format == JPEG ? sizeof segment : sizeof chunk;
    struct bytes whole = allocate_bytes(image.count + count);
    memcpy(whole.data, image.data, at);
    memcpy(whole.data + at, format == JPEG ? segment : chunk, count);
    memcpy(whole.data + at + count, image.data + at, image.count - at);
    write_bytes(whole.data, whole.count);
    free(whole.data);
}

/* Where an index from the side that is named leads. */
static void go(char side, int64_t index, const struct photo *shown, int64_t *row, int64_t *column)
{
    *(side == 't' || side == 'b' ? row : column) = side == 't' || side == 'l' ? index
                                                   : side == 'b'              ? shown->height - 1 - index
                                                                              : shown->width - 1 - index;
}

static void assert_shows(const uint8_t *planes, int orientation)
{
    const bool lies = sides[orientation][1] == 't' || sides[orientation][1] == 'b';
    struct photo shown = read_photo(data_path, lies ? WIDTH : HEIGHT, lies ? HEIGHT : WIDTH);
    int64_t row = 0, column = 0;
    for (int64_t i = 0; i < 3 * PIXELS; i++) {
        go(sides[orientation][0], i % PIXELS / WIDTH, &shown, &row, &column);
        go(sides[orientation][1], i % WIDTH, &shown, &row, &column);
        if (shown.planes[i / PIXELS * PIXELS + row * shown.width + column] != planes[i])
            fail_msg("orientation %d: sample %d is not where it should be", orientation, (int)i);
    }
    free(shown.planes);
}

TEST(a_photo_is_turned_as_its_exif_says)
{
    for (int format = PNG; format <= JPEG; format++) {
        writers[format](HEIGHT, WIDTH);
        struct photo file = read_photo(data_path, HEIGHT, WIDTH);
        struct bytes image = read_bytes(data_path);
        for (int i = 0; i < 2 * ORIENTATIONS; i++) {
            uint8_t exif[EXIF];
            make_exif(i % 2, i / 2, exif);
            insert(image, format, exif);
            assert_shows(file.planes, i / 2);
        }
        free(file.planes);
        free(image.data);
    }
}

/* Any byte of it may be any other. */
TEST(exif_that_is_spoilt_spoils_no_photo)
{
    for (int format = PNG; format <= JPEG; format++) {
        writers[format](HEIGHT, WIDTH);
        struct bytes image = read_bytes(data_path);
        for (int i = 0; i < 6 * EXIF; i++) {
            struct error error;
            uint8_t exif[EXIF];
            make_exif(i % 2, 6, exif);
            exif[i / 6] = (uint8_t)(i % 6 * 51);
            insert(image, format, exif);
            assert_false(is_refused(data_path, &error));
        }
        free(image.data);
    }
}

TEST(what_follows_an_image_is_not_looked_at)
{
    for (int format = 0; format < WRITERS; format++) {
        writers[format](5, 6);
        FILE *file = fopen(data_path, "ab");
        assert_non_null(file);
        fputs("behind the end", file);
        fclose(file);
        free(read_photo(data_path, 5, 6).planes);
    }
}

TEST(the_real_photo_is_read)
{
    char real[4096];
    find_real_input(real, "puppy.jpg", "photo");
    free(read_photo(real, 1330, 1920).planes);
}

AROUND_EACH_TEST(remove_data, remove_data)
