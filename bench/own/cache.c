#define _GNU_SOURCE /* memrchr() */
#include "cache.h"

#include "bench/base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OBJECT_BYTES_MAX = 1 << 30, SOURCE_BYTES_MAX = 1 << 28 };

static bool make_folder(char *path)
{
    for (char *slash = path; (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = '\0';
        (void)mkdir(path, 0700);
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Whether nobody else may have written it. */
static bool is_own(const struct stat *status)
{
    return status->st_uid == geteuid() && (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool cache_folder(char path[CACHE_FOLDER_BYTES], struct error *error)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const bool is_said = cache && cache[0] == '/'; /* others are to be ignored: XDG Base Directory Specification */
    struct stat status;
    if (!is_said && !(home && home[0] == '/'))
        return error_set(error, "neither XDG_CACHE_HOME nor HOME names a folder");
    snprintf(path, CACHE_FOLDER_BYTES, "%s%s/rungbench", is_said ? cache : home, is_said ? "" : "/.cache");
    if (!make_folder(path) || stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return error_set(error, "%s: cannot be used (%s)", path, strerror(errno));
    return is_own(&status) ||
           error_set(error, "%s: is user %ld's, with mode %03o; expected user %ld's, with nobody else to write there",
                     path, (long)status.st_uid, (unsigned)status.st_mode & 0777, (long)geteuid());
}

static bool is_earlier(const struct timespec *one, const struct timespec *other)
{
    return one->tv_sec < other->tv_sec || (one->tv_sec == other->tv_sec && one->tv_nsec < other->tv_nsec);
}

/* Takes the next path from " one.h two\ words.h \<newline> three.h". False: there is none, or it is too long for a
 * file. */
static bool next_path(const char **rest, char path[PATH_MAX])
{
    const char *from = *rest;
    size_t length = 0;
    for (from += strspn(from, " \t\n"); from[0] == '\\' && from[1] == '\n'; from += strspn(from, " \t\n"))
        from++;
    for (; *from && !strchr(" \t\n", *from) && length < PATH_MAX - 1; path[length++] = *from++)
        from += (from[0] == '\\' && (from[1] == ' ' || from[1] == '#')) || (from[0] == '$' && from[1] == '$');
    path[length] = '\0';
    *rest = from;
    return length > 0 && length < PATH_MAX - 1;
}

/* One that is not there counts by its name: nvcc lists those in #line, too. */
static void add_file(const char *path, struct digest *digest, struct timespec *newest)
{
    struct error ignored;
    struct stat status;
    size_t bytes;
    char hex[DIGEST_HEX] = "", *text = regular_file_read(path, path, SOURCE_BYTES_MAX, &bytes, &ignored);
    if (text)
        digest_of(text, bytes, hex);
    if (text && stat(path, &status) == 0 && is_earlier(newest, &status.st_mtim))
        *newest = status.st_mtim;
    digest_add_text(digest, path);
    digest_add_text(digest, hex);
    free(text);
}

bool dependencies_add(const char *list, struct digest *digest, struct timespec *newest)
{
    const char *rest = strchr(list, ':');
    char path[PATH_MAX];
    *newest = (struct timespec){0};
    if (!rest++ || !next_path(&rest, path))
        return false;
    while (next_path(&rest, path))
        add_file(path, digest, newest);
    return true;
}

/* False: the list is none. */
static bool make_seal(const char *key, const char *list, const char *object, size_t size, char seal[DIGEST_HEX],
                      struct timespec *newest)
{
    struct digest digest;
    digest_start(&digest);
    digest_add_text(&digest, key);
    bool is_list = dependencies_add(list, &digest, newest);
    digest_add_text(&digest, ""); /* no file is called so */
    digest_add(&digest, object, size);
    digest_finish(&digest, seal);
    return is_list;
}

/* Whether the file has an object and its list and ends with their seal. `size` becomes the object's. */
static bool is_sealed(const char *key, const char *file, size_t *size)
{
    char seal[DIGEST_HEX];
    struct timespec newest;
    if (*size <= DIGEST_HEX || file[*size - DIGEST_HEX - 1] != '\0')
        return false;
    const char *end = file + *size - DIGEST_HEX, *zero = memrchr(file, '\0', *size - DIGEST_HEX - 1);
    if (!zero)
        return false;
    *size = (size_t)(zero - file);
    return make_seal(key, zero + 1, file, *size, seal, &newest) && memcmp(end, seal, DIGEST_HEX) == 0;
}

char *cache_find(const char key[DIGEST_HEX], size_t *size)
{
    char folder[CACHE_FOLDER_BYTES], path[PATH_MAX];
    struct error ignored;
    struct stat status;
    if (!cache_folder(folder, &ignored))
        return NULL;
    snprintf(path, sizeof path, "%s/%s.so", folder, key);
    const bool is_there = lstat(path, &status) == 0 && S_ISREG(status.st_mode) && is_own(&status);
    char *file = is_there ? regular_file_read(path, path, OBJECT_BYTES_MAX, size, &ignored) : NULL;
    if (file && is_sealed(key, file, size)) {
        (void)utimensat(AT_FDCWD, path, NULL, 0); /* it stays when older ones go */
        return file;
    }
    free(file);
    return NULL;
}

/* All of it or nothing. */
static bool write_file(const char *path, const struct compiled *made, const char seal[DIGEST_HEX])
{
    char partial[PATH_MAX + 8];
    snprintf(partial, sizeof partial, "%s.XXXXXX", path);
    int fd = mkstemp(partial);
    if (fd < 0)
        return false;
    bool ok = write_all(fd, made->object, made->size + 1) && write_all(fd, made->list, strlen(made->list) + 1) &&
              write_all(fd, seal, DIGEST_HEX);
    ok = close(fd) == 0 && ok && rename(partial, path) == 0;
    if (!ok) {
        const int why = errno;
        (void)unlink(partial);
        errno = why;
    }
    return ok;
}

/* False: there are not too many files, or the oldest cannot be removed. */
static bool remove_oldest(const char *folder)
{
    char path[PATH_MAX], oldest[PATH_MAX];
    struct timespec changed = {0};
    struct stat status;
    size_t count = 0;
    DIR *cache = opendir(folder);
    for (struct dirent *entry; cache && (entry = readdir(cache));) {
        if (strspn(entry->d_name, "0123456789abcdef") != DIGEST_HEX - 1)
            continue; /* it is not ours */
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (lstat(path, &status) == 0 && (count++ == 0 || is_earlier(&status.st_mtim, &changed))) {
            changed = status.st_mtim;
            strcpy(oldest, path);
        }
    }
    if (cache)
        closedir(cache);
    return count > CACHE_OBJECTS_MAX && unlink(oldest) == 0;
}

bool cache_keep(const char key[DIGEST_HEX], const struct compiled *made, struct error *error)
{
    char folder[CACHE_FOLDER_BYTES], path[PATH_MAX], seal[DIGEST_HEX];
    struct timespec newest;
    if (!cache_folder(folder, error))
        return false;
    if (!make_seal(key, made->list, made->object, made->size, seal, &newest))
        return error_set(error, "what the compiler says that it has read is no list of files");
    if (!is_earlier(&newest, &made->start)) /* the same time tells nothing */
        return error_set(error, "a file that it includes was changed meanwhile, or its time lies in the future");
    snprintf(path, sizeof path, "%s/%s.so", folder, key);
    if (!write_file(path, made, seal))
        return error_set(error, "%s: cannot be written (%s)", folder, strerror(errno));
    while (remove_oldest(folder)) {
    }
    return true;
}
