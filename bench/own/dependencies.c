#include "dependencies.h"

#include "bench/base/regular_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_BYTES_MAX = 1 << 28 };

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

bool is_earlier(const struct timespec *one, const struct timespec *other)
{
    return one->tv_sec < other->tv_sec || (one->tv_sec == other->tv_sec && one->tv_nsec < other->tv_nsec);
}

/* One that is not there counts by its name: nvcc lists those in #line, too. */
static void add_file(const char *path, struct digest *digest, struct timespec *newest)
{
    struct error ignored;
    struct stat status;
    size_t bytes;
    char hex[DIGEST_HEX] = "", *text = regular_file_read(path, path, FILE_BYTES_MAX, &bytes, &ignored);
    if (text && stat(path, &status) == 0 && digest_of(text, bytes, hex) && is_earlier(newest, &status.st_mtim))
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
