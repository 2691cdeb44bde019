#define _GNU_SOURCE /* memfd_create() */
#include "loading.h"

#include "bench/base/write_all.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool loading_hold(const char *object, size_t size, char path[PATH_MAX])
{
    int fd = memfd_create("rungbench_kernel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    bool ok = fd >= 0 && write_all(fd, object, size) &&
              fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0 &&
              realpath("/proc/self/fd", path);
    if (ok)
        snprintf(path + strlen(path), 16, "/%d", fd);
    else if (fd >= 0)
        close(fd);
    return ok;
}

const char *loading_run(const char *object, const char *function, rung_function **run)
{
    static char text[400];
    void *loaded = dlopen(object, RTLD_NOW | RTLD_LOCAL), *found = loaded ? dlsym(loaded, function) : NULL;
    if (!found) {
        const char *reason = dlerror();
        snprintf(text, sizeof text, "cannot be loaded: %s", reason ? reason : "its kernel is at address 0");
        return text;
    }
    memcpy(run, &found, sizeof *run); /* ISO C has no cast from an object to a function */
    return NULL;
}
