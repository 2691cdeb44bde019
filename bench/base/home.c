#define _GNU_SOURCE /* dladdr() */
#include "home.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[PATH_MAX + 32], generated[sizeof folder + 16], library[PATH_MAX + 64];

/* PREFIX/bin/rungbench and PREFIX/LIB/librungbench.so have PREFIX/share/rungbench, LIB having two parts, perhaps. */
static bool find_from(char path[PATH_MAX])
{
    enum { ABOVE_MAX = 4 };
    for (int above = 0; above < ABOVE_MAX && strrchr(path, '/'); above++) {
        *strrchr(path, '/') = '\0';
        snprintf(folder, sizeof folder, "%s/share/rungbench", path);
        snprintf(generated, sizeof generated, "%s/generated", folder);
        snprintf(library, sizeof library, "%s/" RUNGBENCH_LIBRARY_INSTALLED, path);
        if (access(generated, X_OK) == 0)
            return true;
    }
    return false;
}

static bool find_installed(void)
{
    char path[PATH_MAX], of[PATH_MAX];
    Dl_info info;
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    if (find_from(path))
        return true;
    /* Who uses the library is elsewhere. */
    snprintf(of, sizeof of, "%s", dladdr(folder, &info) && info.dli_fname ? info.dli_fname : "");
    return realpath(of, path) && find_from(path);
}

static void find(void)
{
    if (folder[0] || find_installed())
        return;
    snprintf(folder, sizeof folder, "%s", RUNGBENCH_SOURCE_DIR);
    snprintf(generated, sizeof generated, "%s/generated", RUNGBENCH_BUILD_DIR);
    snprintf(library, sizeof library, "%s/librungbench.so", RUNGBENCH_BUILD_DIR);
}

const char *home_folder(void)
{
    find();
    return folder;
}

const char *home_generated(void)
{
    find();
    return generated;
}

const char *home_library(void)
{
    find();
    return library;
}
