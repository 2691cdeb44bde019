#include "cache.h"

#include "dependencies.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char scratch_prefix[] = "compiling-";

/* False: there is no home, or it has no place for it. */
static bool find_folder(char folder[PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;
    if (cache && cache[0] == '/') /* others are to be ignored: XDG Base Directory Specification */
        length = snprintf(folder, PATH_MAX, "%s/rungbench", cache);
    else if (home && home[0] == '/')
        length = snprintf(folder, PATH_MAX, "%s/.cache/rungbench", home);
    return length > 0 && length < PATH_MAX - 128;
}

static bool make_folder(const char *folder)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", folder);
    for (char *slash = path; (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static bool join(char path[PATH_MAX], const char *folder, const char *name)
{
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

static void name_list(uint64_t key, char name[64])
{
    snprintf(name, 64, "%016" PRIx64 ".d", key);
}

static void name_object(uint64_t key, uint64_t digest, char name[64])
{
    snprintf(name, 64, "%016" PRIx64 "-%016" PRIx64 ".so", key, digest);
}

/* It stays when older ones go. */
static void renew(const char *path)
{
    (void)utimensat(AT_FDCWD, path, NULL, 0);
}

bool cache_find(uint64_t key, char object[PATH_MAX])
{
    char folder[PATH_MAX], list[PATH_MAX], name[64];
    uint64_t digest = 0;
    double newest_s;
    name_list(key, name);
    if (!find_folder(folder) || !join(list, folder, name) || !dependencies_digest(list, &digest, &newest_s))
        return false;
    name_object(key, digest, name);
    if (!join(object, folder, name) || access(object, R_OK) != 0)
        return false;
    renew(object);
    renew(list);
    return true;
}

/* Removes a folder that has no folders in it. */
static void remove_folder(const char *folder)
{
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open));) {
        char path[PATH_MAX];
        if (join(path, folder, entry->d_name))
            (void)unlink(path); /* . and .. are folders */
    }
    if (open)
        closedir(open);
    (void)rmdir(folder);
}

/* A folder whose process was killed. */
static bool is_abandoned(const char *name)
{
    size_t length = sizeof scratch_prefix - 1;
    if (strncmp(name, scratch_prefix, length) != 0 || !isdigit((unsigned char)name[length]))
        return false;
    pid_t process = (pid_t)strtol(name + length, NULL, 10);
    return process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

struct kept_file {
    char name[64];
    struct timespec changed;
};

static int newest_first(const void *left, const void *right)
{
    const struct kept_file *a = left, *b = right;
    if (a->changed.tv_sec != b->changed.tv_sec)
        return a->changed.tv_sec > b->changed.tv_sec ? -1 : 1;
    return (a->changed.tv_nsec < b->changed.tv_nsec) - (a->changed.tv_nsec > b->changed.tv_nsec);
}

static bool has_suffix(const char *name, const char *suffix)
{
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, suffix) == 0;
}

/* Of the files with that suffix the newest ones stay. What cannot be removed stays, too. */
static void keep_newest(const char *folder, const char *suffix)
{
    struct kept_file files[CACHE_OBJECTS_MAX + 16]; /* each process that adds one removes one or more */
    size_t count = 0;
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open)) && count < sizeof files / sizeof files[0];) {
        char path[PATH_MAX];
        struct stat status;
        if (!has_suffix(entry->d_name, suffix) || strlen(entry->d_name) >= sizeof files->name ||
            !join(path, folder, entry->d_name) || stat(path, &status) != 0)
            continue;
        strcpy(files[count].name, entry->d_name);
        files[count++].changed = status.st_mtim;
    }
    if (open)
        closedir(open);
    qsort(files, count, sizeof *files, newest_first);
    for (size_t i = CACHE_OBJECTS_MAX; i < count; i++) {
        char path[PATH_MAX];
        if (join(path, folder, files[i].name))
            (void)unlink(path);
    }
}

static void clean(const char *folder)
{
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open));) {
        char path[PATH_MAX];
        if (is_abandoned(entry->d_name) && join(path, folder, entry->d_name))
            remove_folder(path);
    }
    if (open)
        closedir(open);
    keep_newest(folder, ".so");
    keep_newest(folder, ".d");
}

bool cache_begin(struct cache_folder *scratch, struct error *error)
{
    char folder[PATH_MAX];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    scratch->start_s = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    const char *temporary = getenv("TMPDIR");
    if (find_folder(folder) && make_folder(folder)) {
        clean(folder);
        snprintf(scratch->path, PATH_MAX, "%.*s/%s%ld-XXXXXX", PATH_MAX - 64, folder, scratch_prefix, (long)getpid());
        scratch->is_kept = true;
        if (mkdtemp(scratch->path))
            return true;
    }
    scratch->is_kept = false;
    snprintf(scratch->path, PATH_MAX, "%.*s/rungbench-XXXXXX", PATH_MAX - 64,
             temporary && temporary[0] == '/' ? temporary : "/tmp");
    return mkdtemp(scratch->path) ||
           error_set(error, "%s: no folder to compile in (%s)", scratch->path, strerror(errno));
}

/* What was changed while the compiler ran may have been read before: the object then gets a digest that none has. */
static bool digest_of_sources(const struct cache_folder *scratch, const char *list, uint64_t *digest)
{
    double newest_s;
    *digest = 0;
    bool ok = dependencies_digest(list, digest, &newest_s);
    if (newest_s >= scratch->start_s)
        *digest = ~*digest;
    return ok;
}

bool cache_end(const struct cache_folder *scratch, uint64_t key, char object[PATH_MAX], struct error *error)
{
    char folder[PATH_MAX], list[PATH_MAX], made[PATH_MAX], kept_list[PATH_MAX], name[64];
    uint64_t digest;
    if (!join(made, scratch->path, "object.so") || !join(list, scratch->path, "object.d"))
        return error_set(error, "%s: its name is too long", scratch->path);
    strcpy(object, made);
    if (!scratch->is_kept || !find_folder(folder))
        return true;
    if (!digest_of_sources(scratch, list, &digest))
        return error_set(error, "%s: does not say what the compiler has read", list);
    name_list(key, name);
    bool ok = join(kept_list, folder, name);
    name_object(key, digest, name);
    ok = ok && join(object, folder, name) && rename(list, kept_list) == 0 && rename(made, object) == 0;
    if (!ok)
        return error_set(error, "%s: cannot be kept (%s)", object, strerror(errno));
    remove_folder(scratch->path);
    return true;
}

void cache_forget(const struct cache_folder *scratch)
{
    remove_folder(scratch->path);
}
