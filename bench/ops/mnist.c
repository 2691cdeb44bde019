#include "mnist.h"

#include "idx.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    const char *file;
    const char *name;
} candidates[MNIST_FILES] = {
    {"train-images-idx3-ubyte", "mnist-train"},
    {"train-images-idx3-ubyte.gz", "mnist-train"},
    {"t10k-images-idx3-ubyte", "mnist-t10k"},
    {"t10k-images-idx3-ubyte.gz", "mnist-t10k"},
};

bool mnist_path(const char *folder, int file, char path[PATH_MAX])
{
    int length = snprintf(path, PATH_MAX, "%s/%s", folder, candidates[file].file);
    return length >= 0 && length < PATH_MAX;
}

bool mnist_read(const char *folder, struct mnist *mnist, struct error *error)
{
    struct stat status;
    if (stat(folder, &status) != 0)
        return error_set(error, "--mnist=%s: %s", folder, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return error_set(error, "--mnist=%s: not a folder, expected the folder with the IDX files", folder);

    for (int i = 0; i < MNIST_FILES; i++) {
        char path[PATH_MAX];
        if (!mnist_path(folder, i, path))
            return error_set(error, "--mnist=%s: the path is too long", folder);
        if (stat(path, &status) != 0)
            continue;
        struct idx idx;
        if (!idx_read(path, 3, &idx, error))
            return false;
        if (idx.size[1] != MNIST_SIDE || idx.size[2] != MNIST_SIDE) {
            free(idx.data);
            return error_set(error, "%s: images of %" PRIu32 "x%" PRIu32 ", expected %dx%d", path, idx.size[1],
                             idx.size[2], MNIST_SIDE, MNIST_SIDE);
        }
        *mnist = (struct mnist){candidates[i].name, idx.size[0], idx.data};
        return true;
    }
    return error_set(error, "--mnist=%s: holds neither %s nor %s, plain or with .gz", folder, candidates[0].file,
                     candidates[2].file);
}

void mnist_free(struct mnist *mnist)
{
    free(mnist->pixels);
    mnist->pixels = NULL;
}

const uint8_t *mnist_image(const struct mnist *mnist, int64_t row)
{
    return mnist->pixels + (row % mnist->count) * MNIST_PIXELS;
}

void mnist_note(const struct mnist *mnist, int64_t rows, char *text, size_t size)
{
    if (rows > mnist->count)
        snprintf(text, size, "%s (its %" PRId64 " images repeat)", mnist->name, mnist->count);
    else
        snprintf(text, size, "%s", mnist->name);
}
