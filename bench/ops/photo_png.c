/* PNG, by libpng. */
#include "photo.h"
#include "photo_formats.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* What libpng's callbacks get. It does not return from an error. */
struct state {
    jmp_buf failed;
    struct error *error;
    const uint8_t *from, *end; /* reading */
    uint8_t *to;               /* writing */
    size_t count, room;
};

static void fail(png_structp png, png_const_charp message)
{
    struct state *state = png_get_error_ptr(png);
    error_set(state->error, "%s", message);
    longjmp(state->failed, 1);
}

static void ignore(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static void read_bytes(png_structp png, png_bytep to, size_t count)
{
    struct state *state = png_get_io_ptr(png);
    if ((size_t)(state->end - state->from) < count)
        png_error(png, "the file is truncated");
    memcpy(to, state->from, count);
    state->from += count;
}

/* Every damage is an error, also where the picture could be made without what is damaged. What is not the picture is
 * skipped unread. */
static void be_strict(png_structp png)
{
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_benign_errors(png, 0);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
}

/* Any kind of PNG becomes red, green, blue of 8 bits each; what is transparent, opaque. */
static void choose_rgb(png_structp png, png_infop info)
{
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_strip_alpha(png);
    png_set_gray_to_rgb(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

static void read_rows(png_structp png, struct photo *photo, uint8_t *row)
{
    for (int64_t i = 0; i < photo->height; i++) {
        png_read_row(png, row, NULL);
        photo_set_row(photo, i, row);
    }
}

/* An interlaced image comes in seven passes, each of which changes some pixels of some rows. */
static void read_passes(png_structp png, struct photo *photo, uint8_t *row)
{
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++)
        for (int64_t i = 0; i < photo->height; i++)
            if (PNG_ROW_IN_INTERLACE_PASS(i, pass)) {
                photo_get_row(photo, i, row);
                png_read_row(png, row, NULL);
                photo_set_row(photo, i, row);
            } else {
                png_read_row(png, NULL, NULL); /* counts the row */
            }
}

static bool decode(png_structp png, png_infop info, struct state *state, struct photo *photo)
{
    enum { DENSEST = 8 * 1032 }; /* one bit per pixel, packed by deflate */
    size_t count = (size_t)(state->end - state->from);
    if (setjmp(state->failed) != 0)
        return false;
    png_set_read_fn(png, state, read_bytes);
    be_strict(png);
    png_read_info(png, info);
    if (!photo_begin(photo, png_get_image_height(png, info), png_get_image_width(png, info), count, DENSEST,
                     state->error))
        return false;
    choose_rgb(png, info);
    state->to = malloc(png_get_rowbytes(png, info));
    if (!state->to)
        return error_set(state->error, "no memory for a row");
    if (png_get_interlace_type(png, info) == PNG_INTERLACE_NONE)
        read_rows(png, photo, state->to);
    else
        read_passes(png, photo, state->to);
    png_read_end(png, NULL);
    return true;
}

bool photo_decode_png(const uint8_t *bytes, size_t count, struct photo *photo, struct error *error)
{
    struct state state = {.error = error, .from = bytes, .end = bytes + count};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &state, fail, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool ok = info ? decode(png, info, &state, photo) : error_set(error, "no memory for libpng");
    png_destroy_read_struct(&png, &info, NULL);
    free(state.to);
    return ok;
}

static void write_bytes(png_structp png, png_bytep from, size_t count)
{
    struct state *state = png_get_io_ptr(png);
    if (state->room - state->count < count) {
        size_t room = 2 * state->room + count;
        uint8_t *more = realloc(state->to, room);
        if (!more)
            png_error(png, "no memory");
        state->to = more;
        state->room = room;
    }
    memcpy(state->to + state->count, from, count);
    state->count += count;
}

static void flush(png_structp png)
{
    (void)png;
}

static bool encode(png_structp png, png_infop info, struct state *state, const uint8_t *gray, int64_t height,
                   int64_t width)
{
    if (setjmp(state->failed) != 0)
        return false;
    png_set_write_fn(png, state, write_bytes, flush);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int64_t row = 0; row < height; row++)
        png_write_row(png, gray + row * width);
    png_write_end(png, info);
    return true;
}

uint8_t *photo_encode_gray(const uint8_t *gray, int64_t height, int64_t width, size_t *bytes)
{
    struct error error;
    struct state state = {.error = &error};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &state, fail, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool ok = info && encode(png, info, &state, gray, height, width);
    png_destroy_write_struct(&png, &info);
    *bytes = state.count;
    if (ok)
        return state.to;
    free(state.to);
    return NULL;
}
