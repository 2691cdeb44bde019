#include "bench/base/memory.h"
#include "bench/base/output.h"
#include "photo.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

static struct {
    const char *path; /* NULL: nothing is to be written */
    struct output file;
    int64_t height, width;
    uint8_t *pixels; /* NULL: none were kept */
} gray;

bool gray_photo_open(const char *path, const struct photo *photo, struct error *error)
{
    gray.path = path;
    if (!path)
        return true;
    if (!photo)
        return error_set(error, "--gray-out=%s: needs a photo, expected --image=FILE as well", path);
    gray.height = photo->height;
    gray.width = photo->width;
    return output_open(&gray.file, path, error);
}

void gray_photo_keep(const uint8_t *pixels)
{
    const size_t count = (size_t)(gray.height * gray.width);
    if (gray.path && !gray.pixels)
        gray.pixels = malloc(count);
    if (gray.pixels)
        memcpy(gray.pixels, pixels, count);
}

static void print_png(FILE *to, const void *pixels)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)gray.width,
                       .height = (png_uint_32)gray.height,
                       .format = PNG_FORMAT_GRAY};
    memory_have(png_image_write_to_stdio(&image, to, 0, pixels, 0, NULL) ? &image : NULL);
}

bool gray_photo_write(struct error *error)
{
    if (!gray.path)
        return true;
    bool ok = gray.pixels ? output_print(&gray.file, print_png, gray.pixels, error)
                          : error_set(error, "--gray-out=%s: not written, no rung gave a correct answer for the photo",
                                      gray.path);
    ok = ok ? output_commit(&gray.file, error) : (output_discard(&gray.file), false);
    free(gray.pixels);
    gray.pixels = NULL;
    return ok;
}
