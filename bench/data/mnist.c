#include "mnist.h"

#include "idx.h"
#include "mnist_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool read_images(const struct mnist_files *files, struct mnist *mnist, struct error *error)
{
    const char *path = files->images;
    struct idx idx;
    if (!idx_read(path, 3, &idx, error))
        return false;
    if (idx.size[1] != MNIST_SIDE || idx.size[2] != MNIST_SIDE) {
        free(idx.data);
        return error_set(error, "%s: images of %" PRIu32 "x%" PRIu32 ", expected %dx%d", path, idx.size[1], idx.size[2],
                         MNIST_SIDE, MNIST_SIDE);
    }
    snprintf(mnist->name, sizeof mnist->name, "%.30s-images sha256:%.12s", files->set, idx.digest);
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
    struct mnist_files files;
    *mnist = (struct mnist){0};
    if (!mnist_find(folder, &files, error) || !read_images(&files, mnist, error))
        return false;
    bool ok = files.labels[0] == '\0' || read_labels(files.labels, mnist, error);
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

struct made mnist_permuted(const struct mnist *mnist, enum made_kind kind, uint64_t seed)
{
    return made_rows(kind, seed, mnist->pixels, MNIST_PIXELS, (size_t)mnist->count);
}

struct made mnist_made(const struct mnist *mnist, enum made_kind kind)
{
    struct made made = mnist_permuted(mnist, kind, 0);
    made.first = 0;
    made.step = 1;
    return made;
}

void mnist_note(const struct mnist *mnist, int64_t rows, char *text, size_t size)
{
    if (rows > mnist->count)
        snprintf(text, size, "%s (its %" PRId64 " images repeat)", mnist->name, mnist->count);
    else
        snprintf(text, size, "%s", mnist->name);
}
