#include "home.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char folder[PATH_MAX + 32], generated[sizeof folder + 16];

/* PREFIX/bin/rungbench has PREFIX/share/rungbench. */
static bool find_installed(void)
{
    static char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    for (int above = 0; length > 0 && above < 2; above++) {
        char *name = strrchr(program, '/');
        if (name)
            *name = '\0';
    }
    snprintf(folder, sizeof folder, "%s/share/rungbench", program);
    snprintf(generated, sizeof generated, "%s/generated", folder);
    return access(generated, X_OK) == 0;
}

static void find(void)
{
    if (folder[0] || find_installed())
        return;
    snprintf(folder, sizeof folder, "%s", RUNGBENCH_SOURCE_DIR);
    snprintf(generated, sizeof generated, "%s/generated", RUNGBENCH_BUILD_DIR);
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
