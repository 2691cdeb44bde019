#include "named_files.h"

#include "files.h"
#include "output.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is there, or a name in a folder where one would be. */
struct identity {
    bool known;
    dev_t device;
    ino_t inode;
    char name[NAME_MAX + 1];
};

static struct identity of_status(const struct stat *status)
{
    return (struct identity){.known = true, .device = status->st_dev, .inode = status->st_ino};
}

static struct identity of_missing(const char *followed)
{
    struct stat status;
    char folder[PATH_MAX + 1];
    const char *slash = strrchr(followed, '/'), *name = slash ? slash + 1 : followed;
    snprintf(folder, sizeof folder, "%.*s.", (int)(name - followed), followed);
    if (strlen(name) > NAME_MAX || stat(folder, &status) != 0)
        return (struct identity){0};
    struct identity identity = of_status(&status);
    strcpy(identity.name, name);
    return identity;
}

/* Unknown: a device, a pipe, or a path that leads nowhere. */
static struct identity identify(const char *path)
{
    struct stat status;
    char followed[PATH_MAX];
    if (stat(path, &status) == 0)
        return S_ISREG(status.st_mode) ? of_status(&status) : (struct identity){0};
    return errno == ENOENT && file_path_follow(path, followed) ? of_missing(followed) : (struct identity){0};
}

static bool is_same(const struct identity *one, const struct identity *other)
{
    return one->known && other->known && one->device == other->device && one->inode == other->inode &&
           strcmp(one->name, other->name) == 0;
}

struct identities {
    struct identity own, partial; /* of what is written, both; else `partial` is unknown */
};

static struct identities identify_both(const struct named_file *file)
{
    char path[PATH_MAX], partial[PATH_MAX];
    struct identities both = {0};
    if (strcmp(file->path, "-") != 0)
        both.own = identify(file->path);
    if (both.own.known && file->use == FILE_WRITTEN && file_path_follow(file->path, path) &&
        output_partial_path(path, partial))
        both.partial = identify(partial);
    return both;
}

/* "--out=FILE", or the path alone. */
static void show(const struct named_file *file, char *text, size_t size)
{
    if (file->flag)
        snprintf(text, size, "--%s=%s", file->flag, file->path);
    else
        snprintf(text, size, "%s", file->path);
}

static bool refuse(const struct named_file *written, const struct named_file *other, struct error *error)
{
    char one[PATH_MAX], two[PATH_MAX];
    show(written, one, sizeof one);
    show(other, two, sizeof two);
    if (other->use == FILE_READ)
        return error_set(error, "%s: is to be written, and read as %s, expected different files", one, two);
    return error_set(error, "%s: is to be written twice, also as %s, expected a different file for each output", one,
                     two);
}

static bool is_apart_from_stdout(const struct named_file *file, const struct identities *both, struct error *error)
{
    struct stat status;
    if (fstat(STDOUT_FILENO, &status) != 0 || !S_ISREG(status.st_mode))
        return true;
    struct identity standard_output = of_status(&status);
    if (!is_same(&both->own, &standard_output) && !is_same(&both->partial, &standard_output))
        return true;
    char shown[PATH_MAX];
    show(file, shown, sizeof shown);
    if (file->use == FILE_READ)
        return error_set(error, "%s: is read, and stdout goes there, expected different files", shown);
    return error_set(error, "%s: is to be written twice, since stdout goes there too, expected different files", shown);
}

void named_files_add(struct named_files *files, const char *flag, const char *path, enum file_use use)
{
    size_t at = 0;
    while (at < files->count && (!flag || !files->items[at].flag || strcmp(files->items[at].flag, flag) != 0))
        at++;
    assert(at < NAMED_FILES_MAX);
    files->count += at == files->count;
    files->items[at] = (struct named_file){flag, path, use};
}

bool named_files_are_apart(const struct named_files *files, struct error *error)
{
    struct identities all[NAMED_FILES_MAX];
    for (size_t i = 0; i < files->count; i++)
        all[i] = identify_both(&files->items[i]);
    for (size_t i = 0; i < files->count; i++) {
        const struct named_file *written = &files->items[i];
        if (!is_apart_from_stdout(written, &all[i], error))
            return false;
        for (size_t j = 0; j < files->count && written->use == FILE_WRITTEN; j++)
            if (i != j && (is_same(&all[i].own, &all[j].own) || is_same(&all[i].partial, &all[j].own)))
                return refuse(written, &files->items[j], error);
    }
    return true;
}
