/* PNG: every kind is read as red, green and blue of 8 bits. */
#include "photo_files.h"
#include "tests/unit.h"

#include <png.h>

enum { HEIGHT = 11, WIDTH = 13, ROW_MAX = 8 * WIDTH };

static uint8_t rows[HEIGHT][ROW_MAX];
static png_color palette[256];

static void fill_with_any_bytes(void)
{
    for (int i = 0; i < HEIGHT; i++)
        for (int j = 0; j < ROW_MAX; j++)
            rows[i][j] = (uint8_t)(i * 89 + j * j * 7 + j * 31);
    for (int i = 0; i < 256; i++)
        palette[i] = (png_color){(png_byte)(i * 3), (png_byte)(255 - i), (png_byte)(i ^ 0x55)};
}

static void write_kind(int depth, int type, int interlace, bool has_transparent_colour)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    FILE *file = fopen(data_path, "wb");
    png_bytep pointers[HEIGHT];
    assert_non_null(file);
    for (int i = 0; i < HEIGHT; i++)
        pointers[i] = rows[i];
    png_init_io(png, file);
    png_set_IHDR(png, info, WIDTH, HEIGHT, depth, type, interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (type == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, 1 << depth);
    png_byte alpha[] = {0, 100};
    png_color_16 colour = {.gray = 1, .red = rows[0][0], .green = rows[0][1], .blue = rows[0][2]};
    if (has_transparent_colour)
        png_set_tRNS(png, info, alpha, 2, &colour);
    png_set_gAMA_fixed(png, info, 100000); /* which is no matter */
    png_set_rows(png, info, pointers);
    png_write_png(png, info, PNG_TRANSFORM_IDENTITY, NULL);
    png_destroy_write_struct(&png, &info);
    assert_int_equal(fclose(file), 0);
}

/* Sample `at` of a row, of `depth` bits, as 8 bits; of a palette, its index. */
static int sample(int row, int at, int depth, bool is_index)
{
    if (depth == 16)
        return (rows[row][2 * at] * 256 + rows[row][2 * at + 1] + 128) / 257; /* the nearest level */
    int most = (1 << depth) - 1, bit = at * depth;
    int value = rows[row][bit / 8] >> (8 - depth - bit % 8) & most;
    return is_index ? value : value * 255 / most;
}

static int expected(int row, int column, int channel, int depth, int type)
{
    if (type == PNG_COLOR_TYPE_PALETTE) {
        const png_color *colour = &palette[sample(row, column, depth, true)];
        return channel == 0 ? colour->red : channel == 1 ? colour->green : colour->blue;
    }
    int colours = type & PNG_COLOR_MASK_COLOR ? 3 : 1, samples = colours + (type & PNG_COLOR_MASK_ALPHA ? 1 : 0);
    return sample(row, column * samples + (colours == 3 ? channel : 0), depth, false);
}

static void assert_reads_kind(int depth, int type, int interlace, bool has_transparent_colour)
{
    write_kind(depth, type, interlace, has_transparent_colour);
    struct photo photo = read_photo(data_path, HEIGHT, WIDTH);
    for (int i = 0; i < 3 * HEIGHT * WIDTH; i++) {
        const int row = i / WIDTH % HEIGHT, column = i % WIDTH, channel = i / WIDTH / HEIGHT;
        if (photo.planes[i] != expected(row, column, channel, depth, type))
            fail_msg("depth %d, type %d, interlace %d: channel %d of row %d, column %d is %d, expected %d", depth, type,
                     interlace, channel, row, column, photo.planes[i], expected(row, column, channel, depth, type));
    }
    free(photo.planes);
}

static const struct {
    int type, depth_min, depth_max;
} kinds[] = {
    {PNG_COLOR_TYPE_GRAY, 1, 16},       {PNG_COLOR_TYPE_PALETTE, 1, 8},    {PNG_COLOR_TYPE_RGB, 8, 16},
    {PNG_COLOR_TYPE_GRAY_ALPHA, 8, 16}, {PNG_COLOR_TYPE_RGB_ALPHA, 8, 16},
};

/* What is transparent keeps its colour. */
TEST(all_kinds_are_read)
{
    fill_with_any_bytes();
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        for (int depth = kinds[kind].depth_min; depth <= kinds[kind].depth_max; depth *= 2)
            for (int interlace = PNG_INTERLACE_NONE; interlace <= PNG_INTERLACE_ADAM7; interlace++) {
                assert_reads_kind(depth, kinds[kind].type, interlace, false);
                if (!(kinds[kind].type & PNG_COLOR_MASK_ALPHA))
                    assert_reads_kind(depth, kinds[kind].type, interlace, true);
            }
}

/* A gamma, say, that is none. */
TEST(what_is_not_the_picture_is_not_looked_at)
{
    static const uint8_t no_gamma[] = {0, 0, 0, 1, 'g', 'A', 'M', 'A', 7, 0xC1, 0xDC, 0x96, 0x6C};
    write_png(5, 6);
    struct bytes png = read_bytes(data_path);
    const size_t header = 33;
    FILE *file = fopen(data_path, "wb");
    assert_non_null(file);
    fwrite(png.data, 1, header, file);
    fwrite(no_gamma, 1, sizeof no_gamma, file);
    fwrite(png.data + header, 1, png.count - header, file);
    assert_int_equal(fclose(file), 0);
    struct photo photo = read_photo(data_path, 5, 6);
    assert_int_equal(photo.planes[7], colour(1, 1, 0));
    free(photo.planes);
    free(png.data);
}

AROUND_EACH_TEST(remove_data, remove_data)
