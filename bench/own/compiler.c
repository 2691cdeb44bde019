#include "compiler.h"

#include "bench/base/program_path.h"
#include "content_key.h"

#include <stdio.h>
#include <sys/stat.h>

static uint64_t key_of(const char *path)
{
    struct stat status;
    uint64_t key = content_key_add_text(0, path);
    if (stat(path, &status) != 0)
        return key;
    const int64_t facts[] = {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
    return content_key_add(key, facts, sizeof facts);
}

bool compiler_find(const struct toolchain *toolchain, char path[PATH_MAX], uint64_t *key, struct error *error)
{
    char looked_for[256] = "";
    size_t length = 0;
    if (program_path_find(toolchain->compilers, path)) {
        *key = key_of(path);
        return true;
    }
    for (size_t i = 0; toolchain->compilers[i]; i++) {
        length += (size_t)snprintf(looked_for + length, sizeof looked_for - length, "%s%s", i > 0 ? ", " : "",
                                   toolchain->compilers[i]);
        length = length < sizeof looked_for ? length : sizeof looked_for - 1;
    }
    return error_set(error,
                     "no compiler for %s files, expected one of %s; names without a / are looked for on the PATH",
                     toolchain->suffix, looked_for);
}
