#include "file_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINKS_MAX = 40 }; /* as many as Linux follows */

/* The path behind a link; one that is not absolute starts in the folder of the link. */
static bool replace_link(char path[PATH_MAX], const char *target)
{
    char replaced[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int folder = target[0] != '/' && slash ? (int)(slash + 1 - path) : 0;
    int length = snprintf(replaced, sizeof replaced, "%.*s%s", folder, path, target);
    if (length < 0 || length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(path, replaced);
    return true;
}

bool file_path_follow(const char *path, char followed[PATH_MAX])
{
    char at[PATH_MAX], target[PATH_MAX];
    if (realpath(path, followed))
        return true;
    if (strlen(path) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(at, path);
    for (int links = 0; links < LINKS_MAX; links++) {
        ssize_t length = readlink(at, target, sizeof target - 1);
        if (length < 0) { /* no link: the file that is not there */
            strcpy(followed, at);
            return true;
        }
        target[length] = '\0';
        if (!replace_link(at, target))
            return false;
    }
    errno = ELOOP;
    return false;
}
