#define _GNU_SOURCE /* memfd_create(), splice(), nftw() */
#include "files.h"

#include "memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static const char too_large[] = "it is too large";

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : "a device";
}

static int open_regular(const char *path, const char *name, struct error *error)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); /* a pipe would wait for who writes */
    if (fd < 0 || fstat(fd, &status) != 0)
        error_set(error, "%s: cannot be read (%s)", name, strerror(errno));
    else if (!S_ISREG(status.st_mode))
        error_set(error, "%s: is %s, expected a regular file", name, kind_of(status.st_mode));
    else
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

char *regular_file_read(const char *path, const char *name, size_t most, size_t *bytes, struct error *error)
{
    struct stat status;
    int fd = open_regular(path, name, error);
    if (fd < 0)
        return NULL;
    FILE *file = memory_have(fdopen(fd, "r"));
    const size_t size = fstat(fd, &status) == 0 ? (size_t)status.st_size : 0;
    char *text = size <= most ? calloc(size + 1, 1) : NULL;
    *bytes = text ? fread(text, 1, size, file) : 0;
    if (!text || ferror(file)) {
        error_set(error, "%s: cannot be read (%s)", name, size > most ? too_large : strerror(errno));
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

char *regular_file_read_text(const char *path, const char *name, size_t most, struct error *error)
{
    size_t bytes;
    char *text = regular_file_read(path, name, most, &bytes, error);
    if (!text || strlen(text) == bytes)
        return text;
    free(text);
    error_set(error, "%s: has a zero byte, expected text", name);
    return NULL;
}

static char *unpack(gzFile from, const char *name, size_t most, size_t *bytes, struct error *error)
{
    enum { READ_BYTES = 1 << 20 };
    char *text = NULL, *larger = NULL;
    int got = 1, status;
    size_t room = READ_BYTES;
    for (*bytes = 0; got > 0 && *bytes <= most && (larger = realloc(text, *bytes + room + 1));) {
        text = larger;
        got = gzread(from, text + *bytes, (unsigned)room);
        *bytes += got > 0 ? (size_t)got : 0;
        text[*bytes] = '\0';
        room = *bytes > READ_BYTES ? *bytes : READ_BYTES;
    }
    const char *message = gzerror(from, &status);
    if (larger && *bytes <= most && status == Z_OK)
        return text;
    if (status != Z_OK)
        error_set(error, "%s: corrupt or truncated gzip data (%s)", name, message);
    else
        error_set(error, "%s: cannot be read (%s)", name, *bytes > most ? too_large : strerror(errno));
    free(text);
    return NULL;
}

char *regular_file_unpack(const char *path, const char *name, size_t most, size_t *bytes, struct error *error)
{
    int fd = open_regular(path, name, error);
    if (fd < 0)
        return NULL;
    gzFile from = memory_have(gzdopen(fd, "r"));
    char *text = unpack(from, name, most, bytes, error);
    gzclose(from);
    return text;
}

/* -1: the argument names none. */
static int named_pipe(const char *argument)
{
    int fd;
    struct stat status;
    const char *value = strchr(argument, '=');
    bool is_pipe = sscanf(value ? value + 1 : argument, "/dev/fd/%d", &fd) == 1 && fstat(fd, &status) == 0 &&
                   S_ISFIFO(status.st_mode);
    return is_pipe && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY ? fd : -1;
}

/* Where that fails, the pipe stays, and whoever reads it says what is wrong. */
void piped_input_keep(char *const *argv)
{
    for (; *argv; argv++) {
        int fd = named_pipe(*argv);
        int file = fd >= 0 ? memfd_create("input", MFD_CLOEXEC) : -1;
        ssize_t got = 1;
        while (file >= 0 && got > 0)
            got = splice(fd, NULL, file, NULL, 1 << 20, 0);
        if (got == 0)
            (void)dup2(file, fd);
        if (file >= 0)
            close(file);
    }
}

bool write_all(int fd, const void *bytes, size_t count)
{
    for (const char *at = bytes; count > 0;) {
        ssize_t written = write(fd, at, count);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            at += written;
            count -= (size_t)written;
        }
    }
    return true;
}

bool temporary_folder_make(const char *name, char folder[PATH_MAX])
{
    const char *place = getenv("TMPDIR");
    snprintf(folder, PATH_MAX, "%.*s/%s-XXXXXX", PATH_MAX - 64, place && place[0] == '/' ? place : "/tmp", name);
    return mkdtemp(folder) != NULL;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    (void)remove(path);
    return 0;
}

void folder_remove(const char *path)
{
    (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

bool file_path_follow(const char *path, char followed[PATH_MAX])
{
    char folder[PATH_MAX + 1];
    struct stat status;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (realpath(path, followed))
        return true;
    if (errno != ENOENT || lstat(path, &status) == 0) /* a link that leads nowhere */
        return false;
    snprintf(folder, sizeof folder, "%.*s.", (int)(name - path), path);
    if (!realpath(folder, followed))
        return false;
    const size_t length = strlen(followed);
    errno = ENAMETOOLONG;
    return snprintf(followed + length, PATH_MAX - length, "/%s", name) < (int)(PATH_MAX - length);
}

bool file_path_partial(const char *path, char partial[PATH_MAX])
{
    return snprintf(partial, PATH_MAX, "%s.partial", path) < PATH_MAX;
}

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* As execvp() looks. */
static bool find_on_path(const char *name, char path[PATH_MAX])
{
    bool is_found = false;
    const char *folders = getenv("PATH");
    char *copy = memory_print("%s", folders ? folders : ""), *rest = copy;
    for (const char *folder; !is_found && (folder = strsep(&rest, ":"));)
        is_found = snprintf(path, PATH_MAX, "%s/%s", folder[0] ? folder : ".", name) < PATH_MAX && is_program(path);
    free(copy);
    return is_found;
}

static bool find_program(const char *name, char path[PATH_MAX])
{
    char variable[64];
    const char *below = strchr(name, '/'), *folder = "";
    if (!below)
        return find_on_path(name, path);
    if (name[0] == '$') {
        snprintf(variable, sizeof variable, "%.*s", (int)(below - name - 1), name + 1);
        folder = getenv(variable);
        name = below;
    }
    return folder && snprintf(path, PATH_MAX, "%s%s", folder, name) < PATH_MAX && is_program(path);
}

bool program_path_find(const char *const *names, char path[PATH_MAX])
{
    for (; *names; names++)
        if (find_program(*names, path))
            return true;
    return false;
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

/* "--out=FILE", or the path alone. */
static void show(const struct named_file *file, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s%s", file->flag ? "--" : "", file->flag ? file->flag : "", file->flag ? "=" : "",
             file->path);
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

/* Its path behind all links; empty: it is a device or a pipe, or the path leads nowhere. */
static void identify(const char *path, char followed[PATH_MAX])
{
    struct stat status;
    const bool is_other = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    if (is_other || strcmp(path, "-") == 0 || !file_path_follow(path, followed))
        followed[0] = '\0';
}

bool named_files_are_apart(const struct named_files *files, struct error *error)
{
    static char paths[NAMED_FILES_MAX + 1][PATH_MAX];
    static struct named_file all[NAMED_FILES_MAX + 1];
    const size_t count = files->count + 1;
    char partial[PATH_MAX];
    memcpy(all, files->items, sizeof files->items);
    all[files->count] = (struct named_file){NULL, "stdout", FILE_WRITTEN};
    for (size_t i = 0; i < count; i++)
        identify(i < files->count ? all[i].path : "/proc/self/fd/1", paths[i]);
    for (size_t i = 0; i < count; i++) {
        if (all[i].use != FILE_WRITTEN || paths[i][0] == '\0')
            continue;
        if (i == files->count || !file_path_partial(paths[i], partial))
            partial[0] = '\0';
        for (size_t j = 0; j < count; j++)
            if (i != j && paths[j][0] != '\0' && (strcmp(paths[i], paths[j]) == 0 || strcmp(partial, paths[j]) == 0))
                return refuse(&all[i], &all[j], error);
    }
    return true;
}
