/* PNG: every kind is read as red, green and blue of 8 bits. */
#include "photo_files.h"
#include "tests/unit.h"

#include <png.h>

enum { HEIGHT = 9, WIDTH = 8, ROW_MAX = 8 * WIDTH };

static const png_color palette[16] = {{1, 2, 3}, {40, 50, 60}, {7, 8, 9}};

/* A kind of PNG: bytes of a row, which repeat, and what its pixels are in turns. */
static const struct kind {
    int type, depth;
    bool has_transparent_colour;
    uint8_t bytes[12], rgb[2][3];
} kinds[] = {
    {PNG_COLOR_TYPE_GRAY, 1, false, {0x55}, {{0, 0, 0}, {255, 255, 255}}},
    {PNG_COLOR_TYPE_GRAY, 2, true, {0x66}, {{85, 85, 85}, {170, 170, 170}}},
    {PNG_COLOR_TYPE_GRAY, 8, true, {1, 77}, {{1, 1, 1}, {77, 77, 77}}},
    {PNG_COLOR_TYPE_GRAY, 16, false, {0x12, 0xFF, 0x12, 0}, {{19, 19, 19}, {18, 18, 18}}}, /* the nearest level */
    {PNG_COLOR_TYPE_PALETTE, 4, false, {0x12}, {{40, 50, 60}, {7, 8, 9}}},
    {PNG_COLOR_TYPE_PALETTE, 4, true, {0x12}, {{40, 50, 60}, {7, 8, 9}}},
    {PNG_COLOR_TYPE_RGB, 8, true, {1, 2, 3, 4, 5, 6}, {{1, 2, 3}, {4, 5, 6}}},
    {PNG_COLOR_TYPE_RGB, 16, false, {0, 255, 1, 255, 2, 0, 3, 0, 4, 0, 5, 0}, {{1, 2, 2}, {3, 4, 5}}},
    {PNG_COLOR_TYPE_GRAY_ALPHA, 8, false, {77, 10, 200, 0}, {{77, 77, 77}, {200, 200, 200}}},
    {PNG_COLOR_TYPE_RGB_ALPHA, 8, false, {1, 2, 3, 0, 4, 5, 6, 100}, {{1, 2, 3}, {4, 5, 6}}},
};

static void write_kind(const struct kind *kind, int interlace)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    FILE *file = fopen(data_path, "wb");
    uint8_t row[ROW_MAX];
    png_bytep rows[HEIGHT];
    assert_non_null(file);
    png_init_io(png, file);
    png_set_IHDR(png, info, WIDTH, HEIGHT, kind->depth, kind->type, interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    const int bytes = kind->depth * png_get_channels(png, info) / 4;
    for (int i = 0; i < ROW_MAX; i++)
        row[i] = kind->bytes[bytes > 1 ? i % bytes : 0];
    for (int i = 0; i < HEIGHT; i++)
        rows[i] = row;
    if (kind->type == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, 16);
    png_byte alpha[] = {0, 100};
    png_color_16 colour = {.gray = 1, .red = 1, .green = 2, .blue = 3};
    if (kind->has_transparent_colour)
        png_set_tRNS(png, info, alpha, 2, &colour);
    png_set_gAMA_fixed(png, info, 100000); /* which is no matter */
    png_set_rows(png, info, rows);
    png_write_png(png, info, PNG_TRANSFORM_IDENTITY, NULL);
    png_destroy_write_struct(&png, &info);
    assert_int_equal(fclose(file), 0);
}

/* What is transparent keeps its colour. */
TEST(all_kinds_are_read)
{
    for (size_t i = 0; i < 2 * LENGTH(kinds); i++) {
        const struct kind *kind = &kinds[i / 2];
        write_kind(kind, i % 2 ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE);
        struct photo photo = read_photo(data_path, HEIGHT, WIDTH);
        for (int at = 0; at < 3 * HEIGHT * WIDTH; at++)
            if (photo.planes[at] != kind->rgb[at % WIDTH % 2][at / WIDTH / HEIGHT])
                fail_msg("kind %zu: sample %d is %d", i, at, photo.planes[at]);
        free(photo.planes);
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
