#define _GNU_SOURCE /* memfd_create(), RTLD_DEFAULT */
#include "compile.h"

#include "bench/base/files.h"
#include "bench/base/symbol_name.h"
#include "shared_object.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool compiled_hold(const char *object, size_t size, char path[PATH_MAX])
{
    enum { FIRST_HIGH_FD = 100 }; /* processes that this one starts inherit it, and have others below */
    int made = memfd_create("rungbench_kernel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int fd = made < 0 ? -1 : fcntl(made, F_DUPFD, FIRST_HIGH_FD);
    if (made >= 0)
        close(made);
    bool ok = fd >= 0 && write_all(fd, object, size) &&
              fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0 &&
              realpath("/proc/self/fd", path);
    if (ok)
        snprintf(path + strlen(path), 16, "/%d", fd);
    else if (fd >= 0)
        close(fd);
    return ok;
}

bool compiled_check(const struct own_kernel *kernel, struct error *error)
{
    struct shared_object object;
    size_t at = 0;
    bool ok = shared_object_read(kernel->object, kernel->label, &object, error);
    for (const char *name; ok && (name = shared_object_next(&object, false, &at));) {
        char *plain = symbol_name(name);
        ok = dlsym(RTLD_DEFAULT, name) ||
             error_set(error, "%s: uses %s, which neither it nor a file that it includes has", kernel->path, plain);
        free(plain);
    }
    shared_object_free(&object);
    return ok;
}

/* The object as it was inherited: a process that a kernel runs in may not look into the one that holds it. */
static const char *find_inherited(const char *object)
{
    static const char name[] = "/memfd:rungbench_kernel";
    static char path[64];
    char target[sizeof name];
    const char *number = strrchr(object, '/');
    snprintf(path, sizeof path, "/proc/self/fd%.32s", number ? number : "");
    ssize_t length = readlink(path, target, sizeof target);
    return length >= (ssize_t)sizeof name - 1 && memcmp(target, name, sizeof name - 1) == 0 ? path : object;
}

const char *compiled_find(const struct own_kernel *kernel, void **found)
{
    static char text[400];
    void *loaded = dlopen(find_inherited(kernel->object), RTLD_NOW | RTLD_LOCAL);
    *found = loaded ? dlsym(loaded, kernel->function) : NULL;
    if (*found)
        return NULL;
    const char *reason = dlerror();
    snprintf(text, sizeof text, "cannot be loaded: %s", reason ? reason : "its kernel is at address 0");
    return text;
}

const char *compiled_load(const struct own_kernel *kernel, rung_function **run)
{
    void *found;
    const char *error = compiled_find(kernel, &found);
    if (!error)
        memcpy(run, &found, sizeof *run); /* ISO C has no cast from an object to a function */
    return error;
}
