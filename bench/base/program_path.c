#include "program_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* As execvp() looks. */
static bool find_on_path(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    char tried[PATH_MAX];
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        if (snprintf(tried, sizeof tried, "%.*s/%s", (int)length, length > 0 ? folders : ".", name) < PATH_MAX &&
            is_program(tried)) {
            strcpy(path, tried);
            return true;
        }
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* "$NAME/bin/nvcc". */
static bool find_by_variable(const char *name, char path[PATH_MAX])
{
    char variable[64];
    size_t length = strcspn(name, "/");
    snprintf(variable, sizeof variable, "%.*s", (int)length - 1, name + 1);
    const char *folder = getenv(variable);
    return folder && folder[0] != '\0' && snprintf(path, PATH_MAX, "%s%s", folder, name + length) < PATH_MAX &&
           is_program(path);
}

static bool find_one(const char *name, char path[PATH_MAX])
{
    if (name[0] == '$')
        return find_by_variable(name, path);
    if (!strchr(name, '/'))
        return find_on_path(name, path);
    return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && is_program(path);
}

bool program_path_find(const char *const *names, char path[PATH_MAX])
{
    for (; *names; names++)
        if (find_one(*names, path))
            return true;
    return false;
}
