#include "dependencies.h"

#include "bench/base/regular_file.h"
#include "content_key.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LIST_BYTES_MAX = 1 << 24, FILE_BYTES_MAX = 1 << 28 };

/* Takes the next path from " one.h two\ words.h \<newline> three.h". NULL: there is none. */
static char *next_path(char **rest)
{
    char *from = *rest, *to;
    for (from += strspn(from, " \t\n"); from[0] == '\\' && from[1] == '\n'; from += strspn(from, " \t\n"))
        from++;
    char *path = to = from;
    for (; *from && !strchr(" \t\n", *from); *to++ = *from++)
        if ((from[0] == '\\' && strchr(" #", from[1])) || (from[0] == '$' && from[1] == '$'))
            from++;
    *rest = from + (*from != '\0');
    *to = '\0';
    return to > path ? path : NULL;
}

/* One that is not there counts by its name: nvcc lists those in #line, too. */
static void add_file(const char *path, uint64_t *key, double *newest_s)
{
    struct error ignored;
    struct stat status;
    size_t bytes;
    char *text = regular_file_read(path, path, FILE_BYTES_MAX, &bytes, &ignored);
    *key = content_key_add_text(*key, path);
    if (text && stat(path, &status) == 0) {
        double changed_s = (double)status.st_mtim.tv_sec + 1e-9 * (double)status.st_mtim.tv_nsec;
        *newest_s = changed_s > *newest_s ? changed_s : *newest_s;
        *key = content_key_add(*key, text, bytes);
    }
    free(text);
}

bool dependencies_digest(const char *list, uint64_t *key, double *newest_s)
{
    struct error ignored;
    size_t bytes;
    char *text = regular_file_read(list, list, LIST_BYTES_MAX, &bytes, &ignored), *path;
    char *rest = text ? strchr(text, ':') : NULL;
    bool ok = rest != NULL;
    *newest_s = 0;
    rest = ok ? rest + 1 : NULL;
    ok = ok && next_path(&rest);
    while (ok && (path = next_path(&rest)))
        add_file(path, key, newest_s);
    free(text);
    return ok;
}
