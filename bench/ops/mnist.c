#include "mnist.h"

#include "idx.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Labels are beside images of the same name. */
static const struct {
    const char *file;
    const char *name;
} candidates[MNIST_FILES] = {
    {"train-images-idx3-ubyte", "mnist-train"}, {"train-images-idx3-ubyte.gz", "mnist-train"},
    {"t10k-images-idx3-ubyte", "mnist-t10k"},   {"t10k-images-idx3-ubyte.gz", "mnist-t10k"},
    {"train-labels-idx1-ubyte", "mnist-train"}, {"train-labels-idx1-ubyte.gz", "mnist-train"},
    {"t10k-labels-idx1-ubyte", "mnist-t10k"},   {"t10k-labels-idx1-ubyte.gz", "mnist-t10k"},
};
enum { IMAGES, LABELS = MNIST_FILES / 2 };

bool mnist_path(const char *folder, int file, char path[PATH_MAX])
{
    int length = snprintf(path, PATH_MAX, "%s/%s", folder, candidates[file].file);
    return length >= 0 && length < PATH_MAX;
}

/* The first of the `MNIST_FILES / 2` candidates from `from` on that is there, and has this name unless `name` is NULL;
 * MNIST_FILES: none is. */
static int find_file(const char *folder, int from, const char *name, char path[PATH_MAX])
{
    struct stat status;
    for (int i = from; i < from + MNIST_FILES / 2; i++)
        if ((!name || strcmp(candidates[i].name, name) == 0) && mnist_path(folder, i, path) && stat(path, &status) == 0)
            return i;
    return MNIST_FILES;
}

static bool read_images(const char *path, struct mnist *mnist, struct error *error)
{
    struct idx idx;
    if (!idx_read(path, 3, &idx, error))
        return false;
    if (idx.size[1] != MNIST_SIDE || idx.size[2] != MNIST_SIDE) {
        free(idx.data);
        return error_set(error, "%s: images of %" PRIu32 "x%" PRIu32 ", expected %dx%d", path, idx.size[1], idx.size[2],
                         MNIST_SIDE, MNIST_SIDE);
    }
    mnist->count = idx.size[0];
    mnist->pixels = idx.data;
    return true;
}

static bool check_labels(const char *path, const struct idx *idx, int64_t images, struct error *error)
{
    if (idx->size[0] != images)
        return error_set(error, "%s: %" PRIu32 " labels, expected one for each of %" PRId64 " images", path,
                         idx->size[0], images);
    for (uint32_t i = 0; i < idx->size[0]; i++)
        if (idx->data[i] >= MNIST_CLASSES)
            return error_set(error, "%s: label %" PRIu32 " is %d, expected 0 to %d", path, i, idx->data[i],
                             MNIST_CLASSES - 1);
    return true;
}

static bool read_labels(const char *path, struct mnist *mnist, struct error *error)
{
    struct idx idx;
    if (!idx_read(path, 1, &idx, error))
        return false;
    if (!check_labels(path, &idx, mnist->count, error)) {
        free(idx.data);
        return false;
    }
    mnist->labels = idx.data;
    return true;
}

bool mnist_read(const char *folder, struct mnist *mnist, struct error *error)
{
    struct stat status;
    char path[PATH_MAX];
    *mnist = (struct mnist){0};
    if (stat(folder, &status) != 0)
        return error_set(error, "--mnist=%s: %s", folder, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return error_set(error, "--mnist=%s: not a folder, expected the folder with the IDX files", folder);
    if (!mnist_path(folder, LABELS + 1, path)) /* a longest name */
        return error_set(error, "--mnist=%s: the path is too long", folder);
    int images = find_file(folder, IMAGES, NULL, path);
    if (images == MNIST_FILES)
        return error_set(error, "--mnist=%s: holds neither %s nor %s, plain or with .gz", folder, candidates[0].file,
                         candidates[2].file);
    mnist->name = candidates[images].name;
    if (!read_images(path, mnist, error))
        return false;
    bool ok = find_file(folder, LABELS, mnist->name, path) == MNIST_FILES || read_labels(path, mnist, error);
    if (!ok)
        mnist_free(mnist);
    return ok;
}

void mnist_free(struct mnist *mnist)
{
    free(mnist->pixels);
    free(mnist->labels);
    mnist->pixels = mnist->labels = NULL;
}

const uint8_t *mnist_image(const struct mnist *mnist, int64_t row)
{
    return mnist->pixels + (row % mnist->count) * MNIST_PIXELS;
}

uint8_t mnist_label(const struct mnist *mnist, int64_t row)
{
    return mnist->labels[row % mnist->count];
}

void mnist_note(const struct mnist *mnist, int64_t rows, char *text, size_t size)
{
    if (rows > mnist->count)
        snprintf(text, size, "%s (its %" PRId64 " images repeat)", mnist->name, mnist->count);
    else
        snprintf(text, size, "%s", mnist->name);
}
