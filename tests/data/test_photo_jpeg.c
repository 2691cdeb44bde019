/* JPEG: the kinds that are read, and those that are refused. */
#define _GNU_SOURCE /* memmem() */
#include "photo_files.h"
#include "tests/unit.h"

#include <jpeglib.h>

enum { HEIGHT = 21, WIDTH = 37 };

/* Colours change slowly, so that little is lost. */
static int smooth(int row, int column, int channel)
{
    return channel == 0 ? 40 + 4 * row : channel == 1 ? 60 + 3 * column : 200 - 2 * row - column;
}

/* How a file is made; what is 0 is as usual. */
struct kind {
    const char *refused; /* NULL: it is read */
    J_COLOR_SPACE space;
    bool is_progressive, is_cmyk;
    int scans; /* one per coefficient if it is grey, else one per channel */
};
static struct kind kind;

static void set_kind(struct jpeg_compress_struct *jpeg)
{
    static jpeg_scan_info scans[64];
    if (kind.is_progressive)
        jpeg_simple_progression(jpeg);
    if (kind.space)
        jpeg_set_colorspace(jpeg, kind.space);
    for (int i = 0; i < kind.scans; i++)
        scans[i] = kind.space ? (jpeg_scan_info){1, {0}, i, i, 0, 0} : (jpeg_scan_info){1, {i}, 0, 63, 0, 0};
    if (kind.scans > 0)
        jpeg->scan_info = scans;
    jpeg->num_scans = kind.scans > 0 ? kind.scans : jpeg->num_scans;
    if (kind.is_cmyk) { /* of four channels, with which the bytes are too few for the width */
        jpeg->input_components = 4;
        jpeg->in_color_space = JCS_CMYK;
        jpeg->image_height = jpeg->image_width = 8;
        jpeg_set_defaults(jpeg);
    }
}

static void write_smooth(struct kind of_kind)
{
    uint8_t rgb[HEIGHT][WIDTH][3];
    for (int i = 0; i < HEIGHT; i++)
        for (int j = 0; j < WIDTH; j++)
            for (int channel = 0; channel < 3; channel++)
                rgb[i][j][channel] = (uint8_t)smooth(i, j, channel);
    kind = of_kind;
    write_jpeg_of(&rgb[0][0][0], HEIGHT, WIDTH, set_kind);
}

static const struct kind usual, in_scans = {.scans = 3};

static void assert_reads_smooth(bool is_gray)
{
    struct photo photo = read_photo(data_path, HEIGHT, WIDTH);
    for (int i = 0; i < 3 * HEIGHT * WIDTH; i++) {
        const int row = i / WIDTH % HEIGHT, column = i % WIDTH, channel = i / WIDTH / HEIGHT;
        const int gray =
            (299 * smooth(row, column, 0) + 587 * smooth(row, column, 1) + 114 * smooth(row, column, 2)) / 1000;
        const int expected = is_gray ? gray : smooth(row, column, channel);
        assert_in_range(photo.planes[i], expected - 12, expected + 12);
    }
    free(photo.planes);
}

TEST(common_kinds_are_read_and_others_refused)
{
    const struct kind kinds[] = {
        usual,
        in_scans,
        {.is_progressive = true},
        {.space = JCS_RGB},
        {.space = JCS_GRAYSCALE},
        {.is_cmyk = true, .refused = "Unsupported color conversion request"},
        {.space = JCS_GRAYSCALE, .scans = 64, .refused = "it has more than 50 scans"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        write_smooth(kinds[i]);
        if (kinds[i].refused)
            assert_refuses(data_path, kinds[i].refused);
        else
            assert_reads_smooth(kinds[i].space == JCS_GRAYSCALE);
    }
}

/* Where the last marker of this kind is. */
static uint8_t *last_of(struct bytes jpeg, const char marker[2])
{
    uint8_t *last = NULL;
    for (uint8_t *at = jpeg.data; (at = memmem(at, (size_t)(jpeg.data + jpeg.count - at), marker, 2)); at++)
        last = at;
    assert_non_null(last);
    return last;
}

/* libjpeg would put grey where it finds no code. */
TEST(an_image_that_ends_early_is_refused)
{
    write_smooth(in_scans);
    struct bytes jpeg = read_bytes(data_path);
    uint8_t *last = last_of(jpeg, "\xFF\xDA");
    memcpy(last, "\xFF\xD9", 2);
    write_bytes(jpeg.data, (size_t)(last + 2 - jpeg.data));
    assert_refuses(data_path, "truncated: no data of channel 3");
    free(jpeg.data);
    write_smooth(usual);
    jpeg = read_bytes(data_path);
    memcpy(jpeg.data + jpeg.count - 10, "\xFF\xD9", 2);
    write_bytes(jpeg.data, jpeg.count);
    assert_refuses(data_path, "premature end");
    free(jpeg.data);
}

AROUND_EACH_TEST(remove_data, remove_data)
