/* PNG, by libpng. */
#include "picture.h"

#include <png.h>
#include <string.h>

/* What is left to read. */
struct input {
    const uint8_t *at;
    size_t left;
};

static void fail(png_structp png, png_const_charp message)
{
    error_set(png_get_error_ptr(png), "%s", message);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static void read_bytes(png_structp png, png_bytep to, size_t count)
{
    struct input *input = png_get_io_ptr(png);
    if (input->left < count)
        png_error(png, "the file is truncated");
    memcpy(to, input->at, count);
    input->at += count;
    input->left -= count;
}

/* Any kind of PNG becomes red, green, blue of 8 bits each; what is transparent, opaque. */
static void read_rgb(png_structp png, png_infop info, struct picture *picture)
{
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_strip_alpha(png);
    png_set_gray_to_rgb(png);
    const int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    for (int pass = 0; pass < passes; pass++)
        for (int64_t row = 0; row < picture->height; row++)
            png_read_row(png, picture->rgb + row * picture->width * PICTURE_CHANNELS, NULL);
    png_read_end(png, info);
}

/* Every damage is an error, also where the picture could be made without what is damaged; what is not the picture is
 * skipped unread. */
static bool decode(png_structp png, png_infop info, struct input *input, struct picture *picture, struct error *error)
{
    if (setjmp(png_jmpbuf(png)) != 0)
        return false;
    png_set_read_fn(png, input, read_bytes);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_benign_errors(png, 0);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(png, info);
    if (!picture_begin(picture, png_get_image_height(png, info), png_get_image_width(png, info), error))
        return false;
    read_rgb(png, info, picture);
    return true;
}

bool photo_decode_png(const uint8_t *bytes, size_t count, struct picture *picture, struct error *error)
{
    struct input input = {bytes, count};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, error, fail, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool ok = info ? decode(png, info, &input, picture, error) : error_set(error, "no memory for libpng");
    png_destroy_read_struct(&png, &info, NULL);
    return ok;
}
