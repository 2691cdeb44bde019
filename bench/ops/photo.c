#include "photo.h"

#include "photo_whole.h"

#include <errno.h>
#include <limits.h>
#include <stb_image.h>
#include <stb_image_write.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    CHANNELS = 3,
    FILE_BYTES_MAX = 1 << 30, /* stb_image counts bytes in an int */
};

/* Opens a file that is not empty. fopen() opens a folder too, and an empty file would only be reported as corrupt. */
static FILE *open_nonempty(const char *path, struct error *error)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file) {
        error_set(error, "--image=%s: %s", path, strerror(errno));
        return NULL;
    }
    const char *reason = NULL;
    if (fstat(fileno(file), &status) != 0)
        reason = strerror(errno);
    else if (S_ISDIR(status.st_mode))
        reason = "is a folder, expected a JPEG, PNG or PPM file";
    else if (S_ISREG(status.st_mode) && status.st_size == 0)
        reason = "is empty, expected a JPEG, PNG or PPM file";
    if (reason) {
        error_set(error, "--image=%s: %s", path, reason);
        fclose(file);
        return NULL;
    }
    return file;
}

/* The bytes of the file; NULL on an error. */
static uint8_t *read_file(const char *path, size_t *count, struct error *error)
{
    FILE *file = open_nonempty(path, error);
    if (!file)
        return NULL;
    uint8_t *bytes = NULL;
    size_t room = 0;
    *count = 0;
    do {
        room = room ? 2 * room : 1 << 16;
        uint8_t *more = room <= FILE_BYTES_MAX ? realloc(bytes, room) : NULL;
        if (!more) {
            error_set(error, "--image=%s: no memory after %zu bytes", path, *count);
            free(bytes);
            fclose(file);
            return NULL;
        }
        bytes = more;
        *count += fread(bytes + *count, 1, room - *count, file);
    } while (*count == room);
    bool failed = ferror(file) != 0;
    fclose(file);
    if (!failed)
        return bytes;
    error_set(error, "--image=%s: reading failed after %zu bytes", path, *count);
    free(bytes);
    return NULL;
}

static uint8_t *to_planes(const uint8_t *interleaved, size_t pixels)
{
    uint8_t *planes = malloc(pixels * CHANNELS);
    if (planes)
        for (size_t channel = 0; channel < CHANNELS; channel++)
            for (size_t i = 0; i < pixels; i++)
                planes[channel * pixels + i] = interleaved[i * CHANNELS + channel];
    return planes;
}

bool photo_read(const char *path, struct photo *photo, struct error *error)
{
    size_t count;
    uint8_t *bytes = read_file(path, &count, error);
    if (!bytes)
        return false;
    int width = 0, height = 0, channels_in_file;
    const char *reason = photo_error(bytes, count);
    uint8_t *interleaved = NULL;
    if (!reason) {
        interleaved = stbi_load_from_memory(bytes, (int)count, &width, &height, &channels_in_file, CHANNELS);
        if (!interleaved)
            reason = stbi_failure_reason() ? stbi_failure_reason() : "unknown reason";
    }
    free(bytes);
    if (reason)
        return error_set(error, "--image=%s: cannot be read as a JPEG, PNG or PPM image (%s)", path, reason);
    uint8_t *planes = to_planes(interleaved, (size_t)width * (size_t)height);
    stbi_image_free(interleaved);
    if (!planes)
        return error_set(error, "--image=%s: no memory for its %dx%d pixels", path, height, width);
    *photo = (struct photo){height, width, planes};
    return true;
}

/* The output of stb_image_write. */
struct bytes {
    uint8_t *data;
    size_t count;
};

static void copy_bytes(void *context, void *data, int size)
{
    struct bytes *bytes = context;
    bytes->data = malloc((size_t)size);
    if (!bytes->data)
        return;
    memcpy(bytes->data, data, (size_t)size);
    bytes->count = (size_t)size;
}

uint8_t *photo_encode_gray(const uint8_t *gray, int64_t height, int64_t width, size_t *bytes)
{
    if (height > INT_MAX || width > INT_MAX)
        return NULL;
    struct bytes png = {NULL, 0}; /* stb_image_write writes a PNG with one call of the callback */
    if (!stbi_write_png_to_func(copy_bytes, &png, (int)width, (int)height, 1, gray, (int)width)) {
        free(png.data);
        return NULL;
    }
    *bytes = png.count;
    return png.data;
}
