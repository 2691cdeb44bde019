#include "mnist.h"

#include "idx.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* train-images-idx3-ubyte.gz; with a dot, as file managers unpack it; with what EMNIST and QMNIST put in front. */
static const char names[] = "^(.*-)?(train|t10k|test)-%s[-._]?idx[13][-._]?ubyte(\\.gz)?$";
enum { WHOLE, PREFIX, PART, PACKED, GROUPS };

struct mnist_file {
    char path[PATH_MAX];    /* empty: there is none */
    char set[NAME_MAX + 1]; /* "train", "t10k", "emnist-digits-test" */
    int rank;
};

/* The smallest rank is the best. Files of one class differ in whether they are packed. */
enum { IS_PACKED = 1, CLASS = 2, IS_TEST = 2, IS_PREFIXED = 4, NONE = 8 };

/* False: the name is not that of such a file. Kaggle's archive has folders of these names beside the files. */
static bool consider(const regex_t *regex, const char *folder, const char *name, struct mnist_file *file)
{
    struct stat status;
    regmatch_t at[GROUPS];
    if (regexec(regex, name, GROUPS, at, 0) != 0 || snprintf(file->path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
        return false;
    if (stat(file->path, &status) == 0 && S_ISDIR(status.st_mode))
        return false;
    const bool is_test = strncasecmp(name + at[PART].rm_so, "train", strlen("train")) != 0;
    file->rank =
        (at[PACKED].rm_so < 0 ? 0 : IS_PACKED) + (is_test ? IS_TEST : 0) + (at[PREFIX].rm_so < 0 ? 0 : IS_PREFIXED);
    snprintf(file->set, sizeof file->set, "%.*s", (int)at[PART].rm_eo, name);
    return true;
}

/* The best file of images or labels, among those of a set or those of all others. */
static struct mnist_file choose(const char *folder, const char *content, const char *set, bool of_set)
{
    struct mnist_file best = {.rank = NONE}, next;
    struct dirent **entries = NULL;
    char pattern[sizeof names + 8];
    regex_t regex;
    snprintf(pattern, sizeof pattern, names, content);
    if (regcomp(&regex, pattern, REG_EXTENDED | REG_ICASE) != 0)
        abort(); /* it is one of ours */
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (consider(&regex, folder, entries[i]->d_name, &next) && next.rank < best.rank &&
            (strcasecmp(next.set, set) == 0) == of_set)
            best = next;
        free(entries[i]);
    }
    free(entries);
    regfree(&regex);
    return best;
}

static bool find(const char *folder, struct mnist_file *images, struct mnist_file *labels, struct error *error)
{
    static const char *const folders[] = {"", "/raw", "/MNIST/raw"};
    struct stat status;
    char path[PATH_MAX] = "";
    if (stat(folder, &status) != 0)
        return error_set(error, "--mnist=%s: %s", folder, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return error_set(error, "--mnist=%s: not a folder, expected the folder with the IDX files", folder);
    images->rank = NONE;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && images->rank == NONE; i++)
        if (snprintf(path, sizeof path, "%s%s", folder, folders[i]) < (int)sizeof path)
            *images = choose(path, "images", "", false);
    if (images->rank == NONE)
        return error_set(error,
                         "--mnist=%s: holds neither train-images-idx3-ubyte nor t10k-images-idx3-ubyte, plain or with "
                         ".gz; nor do raw and MNIST/raw in it",
                         folder);
    const struct mnist_file other = choose(path, "images", images->set, false);
    if (other.rank / CLASS == images->rank / CLASS)
        return error_set(error, "--mnist=%s: holds images of more than one set, %s and %s, expected one", path,
                         images->set, other.set);
    *labels = choose(path, "labels", images->set, true);
    return true;
}

static bool read_images(const struct mnist_file *file, struct mnist *mnist, struct error *error)
{
    struct idx idx;
    if (!idx_read(file->path, 3, &idx, error))
        return false;
    snprintf(mnist->name, sizeof mnist->name, "%.30s-images sha256:%.12s", file->set, idx.digest);
    mnist->count = idx.size[0];
    mnist->pixels = idx.data;
    return (idx.size[1] == MNIST_SIDE && idx.size[2] == MNIST_SIDE) ||
           error_set(error, "%s: images of %" PRIu32 "x%" PRIu32 ", expected %dx%d", file->path, idx.size[1],
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
    struct mnist_file images, labels = {.path = ""};
    *mnist = (struct mnist){0};
    bool ok = find(folder, &images, &labels, error) && read_images(&images, mnist, error) &&
              (labels.path[0] == '\0' || read_labels(labels.path, mnist, error));
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
