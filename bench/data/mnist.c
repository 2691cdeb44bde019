#define _GNU_SOURCE /* GLOB_BRACE */
#include "mnist.h"

#include "bench/base/memory.h"
#include "idx.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The first is the best: as torchvision puts them below the folder; with what EMNIST and QMNIST put in front; gzipped.
 * A dot is how file managers unpack them. */
static const char of_images[] = "/{,raw/,MNIST/raw/}{,*-}{train,t10k,test}-images[-.]idx[13][-.]ubyte{,.gz}";
static const char of_labels[] = "-labels[-.]idx[13][-.]ubyte{,.gz}";

/* The first file whose path begins so and goes on as the pattern says; empty: there is none. Kaggle's archive has
 * folders of these names, too. */
static void find_file(const char *begin, const char *pattern, char path[PATH_MAX])
{
    char *whole;
    size_t bytes;
    glob_t found = {0};
    FILE *to = memory_stream(&whole, &bytes);
    for (; *begin; begin++)
        fprintf(to, "%s%c", strchr("*?[]{},~\\", *begin) ? "\\" : "", *begin);
    fputs(pattern, to);
    memory_stream_end(to);
    path[0] = '\0';
    (void)glob(whole, GLOB_BRACE | GLOB_MARK, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc && path[0] == '\0'; i++) {
        const size_t length = strlen(found.gl_pathv[i]);
        if (length < PATH_MAX && found.gl_pathv[i][length - 1] != '/')
            memcpy(path, found.gl_pathv[i], length + 1);
    }
    globfree(&found);
    free(whole);
}

bool mnist_find(const char *folder, struct mnist_files *files, struct error *error)
{
    struct stat status;
    char set[PATH_MAX], *end = NULL;
    find_file(folder, of_images, files->images);
    if (files->images[0] == '\0' && stat(folder, &status) != 0)
        return error_set(error, "--mnist=%s: %s", folder, strerror(errno));
    if (files->images[0] == '\0')
        return error_set(error,
                         "--mnist=%s: holds neither train-images-idx3-ubyte nor t10k-images-idx3-ubyte, plain or with "
                         ".gz; nor do raw and MNIST/raw in it",
                         folder);
    memcpy(set, files->images, sizeof set);
    for (char *at = set; (at = strstr(at, "-images")); at++)
        end = at;
    *end = '\0';
    snprintf(files->set, sizeof files->set, "%s", strrchr(set, '/') + 1);
    find_file(set, of_labels, files->labels);
    return true;
}

static bool read_images(const struct mnist_files *files, struct mnist *mnist, struct error *error)
{
    struct idx idx;
    if (!idx_read(files->images, 3, &idx, error))
        return false;
    snprintf(mnist->name, sizeof mnist->name, "%s-images sha256:%.12s", files->set, idx.digest);
    mnist->count = idx.size[0];
    mnist->pixels = idx.data;
    return (idx.size[1] == MNIST_SIDE && idx.size[2] == MNIST_SIDE) ||
           error_set(error, "%s: images of %" PRIu32 "x%" PRIu32 ", expected %dx%d", files->images, idx.size[1],
                     idx.size[2], MNIST_SIDE, MNIST_SIDE);
}

static bool read_labels(const char *path, struct mnist *mnist, struct error *error)
{
    struct idx idx;
    if (!idx_read(path, 1, &idx, error))
        return false;
    mnist->labels = idx.data;
    if (idx.size[0] != mnist->count)
        return error_set(error, "%s: %" PRIu32 " labels, expected one for each of %" PRId64 " images", path,
                         idx.size[0], mnist->count);
    for (uint32_t i = 0; i < idx.size[0]; i++)
        if (idx.data[i] >= MNIST_CLASSES)
            return error_set(error, "%s: label %" PRIu32 " is %d, expected 0 to %d", path, i, idx.data[i],
                             MNIST_CLASSES - 1);
    return true;
}

bool mnist_read(const char *folder, struct mnist *mnist, struct error *error)
{
    struct mnist_files files;
    *mnist = (struct mnist){0};
    bool ok = mnist_find(folder, &files, error) && read_images(&files, mnist, error) &&
              (files.labels[0] == '\0' || read_labels(files.labels, mnist, error));
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

struct made mnist_permuted(const struct mnist *mnist, enum made_kind kind, uint64_t seed)
{
    return made_rows(kind, seed, mnist->pixels, MNIST_PIXELS, (size_t)mnist->count);
}

void mnist_note(const struct mnist *mnist, int64_t rows, char *text, size_t size)
{
    if (rows > mnist->count)
        snprintf(text, size, "%s (its %" PRId64 " images repeat)", mnist->name, mnist->count);
    else
        snprintf(text, size, "%s", mnist->name);
}
