#include "loading.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

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
