#include "cache.h"

#include "bench/base/regular_file.h"
#include "bench/base/write_all.h"
#include "dependencies.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = DIGEST_HEX + 16, PATH_BYTES = NAME_BYTES + 32, FILE_BYTES_MAX = 1 << 30 };

/* False: there is no home, or it has no place for it. */
static bool name_folder(char folder[PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;
    if (cache && cache[0] == '/') /* others are to be ignored: XDG Base Directory Specification */
        length = snprintf(folder, PATH_MAX, "%s/rungbench", cache);
    else if (home && home[0] == '/')
        length = snprintf(folder, PATH_MAX, "%s/.cache/rungbench", home);
    return length > 0 && length < PATH_MAX;
}

static bool make_folder(char *path)
{
    for (char *slash = path; (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Whether nobody else may have written it. */
static bool is_own(const struct stat *status)
{
    return status->st_uid == geteuid() && (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool open_folder(struct cache *cache, struct error *error)
{
    char *path = cache->path;
    struct stat status;
    if (!name_folder(path))
        return error_set(error, "neither XDG_CACHE_HOME nor HOME names a folder");
    if (!make_folder(path))
        return error_set(error, "%s: cannot be made (%s)", path, strerror(errno));
    cache->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (cache->folder < 0 || fstat(cache->folder, &status) != 0)
        return error_set(error, "%s: cannot be opened (%s)", path, strerror(errno));
    return is_own(&status) ||
           error_set(error, "%s: is user %ld's, with mode %03o; expected user %ld's, with nobody else to write there",
                     path, (long)status.st_uid, (unsigned)status.st_mode & 0777, (long)geteuid());
}

void cache_open(struct cache *cache)
{
    *cache = (struct cache){.folder = -1};
    if (!open_folder(cache, &cache->reason))
        cache_close(cache);
}

void cache_close(struct cache *cache)
{
    if (cache->folder >= 0)
        close(cache->folder);
    cache->folder = -1;
}

/* In the opened folder, whatever its path has become. */
static void name_path(const struct cache *cache, const char *name, const char *suffix, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "/proc/self/fd/%d/%s%s", cache->folder, name, suffix);
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
    return digest_finish(&digest, seal) && is_list;
}

/* Whether the file has an object and its list and ends with their seal. `size` becomes the object's. */
static bool is_sealed(const char *key, const char *file, size_t *size)
{
    char seal[DIGEST_HEX];
    struct timespec newest;
    if (*size <= DIGEST_HEX || file[*size - DIGEST_HEX - 1] != '\0')
        return false;
    const char *end = file + *size - DIGEST_HEX, *list = end - 1;
    while (list > file && list[-1] != '\0')
        list--;
    if (list == file)
        return false;
    *size = (size_t)(list - 1 - file);
    return make_seal(key, list, file, *size, seal, &newest) && memcmp(end, seal, DIGEST_HEX) == 0;
}

char *cache_find(const struct cache *cache, const char key[DIGEST_HEX], size_t *size)
{
    char path[PATH_BYTES];
    struct stat status;
    struct error ignored;
    name_path(cache, key, ".so", path);
    bool is_there = lstat(path, &status) == 0 && S_ISREG(status.st_mode) && is_own(&status);
    char *file = is_there ? regular_file_read(path, path, FILE_BYTES_MAX, size, &ignored) : NULL;
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
    char partial[PATH_BYTES + 8];
    snprintf(partial, sizeof partial, "%s.XXXXXX", path);
    int fd = mkstemp(partial);
    if (fd < 0)
        return false;
    bool ok = write_all(fd, made->object, made->size + 1) && write_all(fd, made->list, strlen(made->list) + 1) &&
              write_all(fd, seal, DIGEST_HEX);
    ok = close(fd) == 0 && ok && rename(partial, path) == 0;
    int reason = errno;
    if (!ok)
        (void)unlink(partial);
    errno = reason;
    return ok;
}

/* A digest and a suffix, or what versions before this one have left. */
static bool is_our_name(const char *name)
{
    size_t digits = strspn(name, "0123456789abcdef");
    return (digits == DIGEST_HEX - 1 || digits == 16) && (name[digits] == '.' || name[digits] == '-') &&
           strlen(name) < NAME_BYTES;
}

/* False: there are not too many files, or the oldest cannot be removed. */
static bool remove_oldest(const struct cache *cache)
{
    char path[PATH_BYTES], oldest[PATH_BYTES];
    struct timespec changed = {0};
    size_t count = 0;
    name_path(cache, ".", "", path);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat status;
        if (!is_our_name(entry->d_name))
            continue;
        name_path(cache, entry->d_name, "", path);
        if (lstat(path, &status) == 0 && (count++ == 0 || is_earlier(&status.st_mtim, &changed))) {
            changed = status.st_mtim;
            strcpy(oldest, path);
        }
    }
    if (folder)
        closedir(folder);
    return count > CACHE_OBJECTS_MAX && unlink(oldest) == 0;
}

bool cache_keep(const struct cache *cache, const char key[DIGEST_HEX], const struct compiled *made, struct error *error)
{
    char path[PATH_BYTES], seal[DIGEST_HEX];
    struct timespec newest;
    if (cache->folder < 0)
        return error_set(error, "%s", cache->reason.text);
    if (!make_seal(key, made->list, made->object, made->size, seal, &newest))
        return error_set(error, "what the compiler says that it has read is no list of files");
    if (!is_earlier(&newest, &made->start)) /* the same time tells nothing */
        return error_set(error, "a file that it includes was changed meanwhile, or its time lies in the future");
    name_path(cache, key, ".so", path);
    if (!write_file(path, made, seal))
        return error_set(error, "%s: cannot be written (%s)", cache->path, strerror(errno));
    while (remove_oldest(cache))
        ;
    return true;
}
