#include "own_kernel.h"

#include "bench/base/files.h"
#include "bench/table/backend.h"
#include "shared_object.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE_BYTES_MAX = 1 << 24 };
static const char shared_object_suffix[] = ".so", byte_order_mark[] = "\xEF\xBB\xBF";

static bool is_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), tail = strlen(suffix);
    return length > tail && strcmp(path + length - tail, suffix) == 0;
}

/* "kernel_" and the file's name without folder and suffix, as part of a row's name. */
static void name_variant(const char *path, char *variant, size_t size)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    snprintf(variant, size, "kernel_%.*s", (int)(dot ? (size_t)(dot - name) : strlen(name)), name);
    for (char *c = variant; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            *c = '_';
}

void own_kernel_name(const char *path, struct own_kernel *kernel)
{
    kernel->path = path;
    snprintf(kernel->label, sizeof kernel->label, "--kernel=%s", path);
    snprintf(kernel->summary, sizeof kernel->summary, "your own: %s", path);
    name_variant(path, kernel->variant, sizeof kernel->variant);
}

static const struct toolchain *toolchain_of(const struct backend_entry *entry)
{
    return entry->backend ? entry->backend->toolchain : NULL;
}

/* The backend that compiles files with that suffix: the first one whose device is there. False: none has that suffix.
 */
static bool find_compiling(const struct registry *registry, const struct own_request *request,
                           struct own_kernel *kernel)
{
    bool is_source = false;
    for (size_t i = 0; i < registry->backend_count; i++) {
        const struct backend_entry *entry = &registry->backends[i];
        const struct toolchain *toolchain = toolchain_of(entry);
        if (!toolchain || !is_suffix(kernel->path, toolchain->suffix))
            continue;
        is_source = true;
        const char *target = toolchain->target ? toolchain->target(request->device) : "";
        if (!target || (request->simulate && entry->separate_memory))
            continue;
        snprintf(kernel->target, sizeof kernel->target, "%s", target);
        kernel->backend = entry;
        return true;
    }
    return is_source;
}

/* The backend whose shared objects look like that. */
static const struct backend_entry *find_signed(const struct registry *registry, const struct shared_object *object)
{
    const struct backend_entry *unsigned_one = NULL;
    for (size_t i = 0; i < registry->backend_count; i++) {
        const struct backend_entry *entry = &registry->backends[i];
        const struct toolchain *toolchain = toolchain_of(entry);
        if (toolchain && toolchain->sign && shared_object_has(object, toolchain->sign))
            return entry;
        if (toolchain && !toolchain->sign && !unsigned_one)
            unsigned_one = entry;
    }
    return unsigned_one;
}

/* The one function of an operation, of which there may be no other. */
static bool find_function(const struct shared_object *object, const struct registry *registry,
                          const struct own_request *request, struct own_kernel *kernel, struct error *error)
{
    size_t at = 0;
    kernel->function[0] = '\0';
    for (const char *name; (name = shared_object_function(object, &at));) {
        if (!form_op(registry, name))
            continue;
        if (kernel->function[0] != '\0')
            return error_set(error, "%s: defines %s and %s, expected one kernel in a file", kernel->label,
                             kernel->function, name);
        snprintf(kernel->function, sizeof kernel->function, "%s", name);
    }
    return kernel->function[0] != '\0' ||
           error_set(error, "%s: defines no kernel, expected a C function %s_NAME(const void *problem, void *stream)",
                     kernel->label, (request->op ? request->op : registry->ops[0])->name);
}

static bool read_object(const struct registry *registry, const struct own_request *request, struct own_kernel *kernel,
                        struct error *error)
{
    struct shared_object object;
    if (!shared_object_read(kernel->path, kernel->label, &object, error))
        return false;
    bool ok = find_function(&object, registry, request, kernel, error);
    kernel->backend = find_signed(registry, &object);
    shared_object_free(&object);
    char *followed = realpath(kernel->path, NULL); /* dlopen() looks elsewhere for a name without a slash */
    snprintf(kernel->object, sizeof kernel->object, "%s", followed ? followed : kernel->path);
    free(followed);
    return ok && form_of_function(kernel->function, kernel->label, registry, request->op, &kernel->form, error);
}

bool own_kernel_read_text(struct own_kernel *kernel, struct error *error)
{
    size_t bytes;
    kernel->source = regular_file_read(kernel->path, kernel->label, SOURCE_BYTES_MAX, &bytes, error);
    if (!kernel->source)
        return false;
    if (strlen(kernel->source) != bytes)
        return error_set(error, "%s: has a zero byte, expected source text", kernel->label);
    /* It would not be the compiler's first. */
    if (strncmp(kernel->source, byte_order_mark, strlen(byte_order_mark)) == 0)
        memset(kernel->source, ' ', strlen(byte_order_mark));
    return true;
}

static bool read_source(const struct registry *registry, const struct own_request *request, struct own_kernel *kernel,
                        struct error *error)
{
    if (!find_compiling(registry, request, kernel))
        return error_set(error, "%s: expected a file that ends in .cu, .c or .so", kernel->label);
    if (!own_kernel_read_text(kernel, error))
        return false;
    return form_find(kernel->source, kernel->label, registry, request->op, &kernel->form, error);
}

bool own_kernel_read(const struct registry *registry, const struct own_request *request, struct own_kernel *kernel,
                     struct error *error)
{
    bool is_object = is_suffix(kernel->path, shared_object_suffix);
    return (is_object ? read_object : read_source)(registry, request, kernel, error) &&
           (kernel->backend || error_set(error, "%s: this build has no backend that could run it", kernel->label));
}
