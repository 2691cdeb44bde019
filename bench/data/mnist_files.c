#include "mnist_files.h"

#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* train-images-idx3-ubyte.gz; with a dot, as file managers unpack it; with what EMNIST and QMNIST put in front. */
static const char pattern[] = "^(.*-)?(train|t10k|test)-(images|labels)[-._]?idx[13][-._]?ubyte(\\.gz)?$";
enum { WHOLE, PREFIX, PART, CONTENT, PACKED, GROUPS };

static const char *const folders[] = {"", "/raw", "/MNIST/raw"};

/* The smallest rank is the best. Files of one class differ in how they lie there. */
enum { IS_PACKED = 1, IS_NO_FILE = 2, CLASS = 4, IS_TEST = 4, IS_PREFIXED = 8, NONE = 16 };

struct choice {
    int rank;
    char path[PATH_MAX];
    char set[NAME_MAX + 1], other[NAME_MAX + 1]; /* another set of the same class; empty: there is none */
};

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static void consider(struct choice *best, const char *path, const char *set, int rank)
{
    bool is_other = strcasecmp(set, best->set) != 0;
    if (rank / CLASS < best->rank / CLASS)
        best->other[0] = '\0';
    else if (rank / CLASS == best->rank / CLASS && is_other)
        snprintf(best->other, sizeof best->other, "%s", rank < best->rank ? best->set : set);
    if (rank >= best->rank)
        return;
    best->rank = rank;
    snprintf(best->path, sizeof best->path, "%s", path);
    snprintf(best->set, sizeof best->set, "%s", set);
}

/* False: the name is not that of such a file. */
static bool read_name(const regex_t *names, const char *name, const char *content, char set[NAME_MAX + 1], int *rank)
{
    regmatch_t at[GROUPS];
    if (regexec(names, name, GROUPS, at, 0) != 0 ||
        strncasecmp(name + at[CONTENT].rm_so, content, strlen(content)) != 0)
        return false;
    bool is_test = strncasecmp(name + at[PART].rm_so, "train", strlen("train")) != 0;
    *rank = (at[PACKED].rm_so < 0 ? 0 : IS_PACKED) + (is_test ? IS_TEST : 0) + (at[PREFIX].rm_so < 0 ? 0 : IS_PREFIXED);
    snprintf(set, NAME_MAX + 1, "%.*s", (int)at[PART].rm_eo, name);
    return true;
}

static void compile(regex_t *regex, const char *text)
{
    if (regcomp(regex, text, REG_EXTENDED | REG_ICASE) != 0)
        abort(); /* it is one of ours */
}

/* The best file of images, or of labels of a set. */
static struct choice choose(const char *folder, const char *content, const char *of_set)
{
    struct choice best = {.rank = NONE};
    struct dirent **entries = NULL;
    regex_t names;
    int count = scandir(folder, &entries, NULL, alphasort);
    compile(&names, pattern);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX], set[NAME_MAX + 1];
        int rank;
        if (read_name(&names, entries[i]->d_name, content, set, &rank) && (!of_set || strcasecmp(set, of_set) == 0) &&
            snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name) < (int)sizeof path)
            consider(&best, path, set, rank + (is_file(path) ? 0 : IS_NO_FILE));
        free(entries[i]);
    }
    free(entries);
    regfree(&names);
    return best;
}

/* What lies there, and the user may have taken for MNIST. */
static void list_similar(const char *folder, char *text, size_t size)
{
    struct dirent **entries = NULL;
    regex_t similar;
    size_t length = 0;
    int count = scandir(folder, &entries, NULL, alphasort);
    compile(&similar, "mnist|ubyte|idx");
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        const char *before = length > 0 ? ", " : "; it holds ", *name = entries[i]->d_name;
        if (regexec(&similar, name, 0, NULL, 0) == 0 && length + strlen(before) + strlen(name) < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s", before, name);
        free(entries[i]);
    }
    free(entries);
    regfree(&similar);
}

static bool refuse(const char *folder, struct error *error)
{
    char similar[120];
    list_similar(folder, similar, sizeof similar);
    return error_set(error,
                     "--mnist=%s: holds neither train-images-idx3-ubyte nor t10k-images-idx3-ubyte, plain or with .gz; "
                     "nor do raw and MNIST/raw in it%s",
                     folder, similar);
}

bool mnist_find(const char *folder, struct mnist_files *files, struct error *error)
{
    struct stat status;
    struct choice images = {.rank = NONE};
    char path[PATH_MAX] = "";
    if (stat(folder, &status) != 0)
        return error_set(error, "--mnist=%s: %s", folder, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return error_set(error, "--mnist=%s: not a folder, expected the folder with the IDX files", folder);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && images.rank == NONE; i++)
        if (snprintf(path, sizeof path, "%s%s", folder, folders[i]) < (int)sizeof path)
            images = choose(path, "images", NULL);
    if (images.rank == NONE)
        return refuse(folder, error);
    if (images.other[0] != '\0')
        return error_set(error, "--mnist=%s: holds images of more than one set, %s and %s, expected one", path,
                         images.set, images.other);
    const struct choice labels = choose(path, "labels", images.set);
    memcpy(files->images, images.path, sizeof files->images);
    memcpy(files->labels, labels.path, sizeof files->labels);
    memcpy(files->set, images.set, sizeof files->set);
    return true;
}
