#define _GNU_SOURCE /* memmem() */
#include "own_kernel.h"

#include "bench/base/files.h"
#include "bench/base/memory.h"
#include "bench/table/backend.h"
#include "shared_object.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE_BYTES_MAX = 1 << 24 };
static const char byte_order_mark[] = "\xEF\xBB\xBF";

bool own_kernel_is(const char *path, const char *suffix)
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

const struct backend_entry *own_kernel_compiling(const struct registry *registry, const char *path,
                                                 const struct backend_entry *entry)
{
    for (entry = entry ? entry + 1 : registry->backends; entry < registry->backends + registry->backend_count; entry++)
        for (const char *const *suffix = toolchain_of(entry) ? toolchain_of(entry)->suffixes : NULL; suffix && *suffix;
             suffix++)
            if (own_kernel_is(path, *suffix))
                return entry;
    return NULL;
}

/* The backend that compiles files with that suffix: the first one whose device is there. */
static void find_compiling(const struct registry *registry, const struct own_request *request,
                           struct own_kernel *kernel)
{
    /* Of a file of C++ that has kernels, too. */
    const char *path = strstr(kernel->source, "__global__") ? "kernel.cu" : kernel->path;
    const struct backend_entry *entry = NULL;
    while (!kernel->backend && (entry = own_kernel_compiling(registry, path, entry))) {
        const struct toolchain *toolchain = toolchain_of(entry);
        const char *target = toolchain->target ? toolchain->target(request->device) : "";
        if (!target || (request->simulate && entry->separate_memory))
            continue;
        snprintf(kernel->target, sizeof kernel->target, "%s", target);
        kernel->backend = entry;
    }
}

/* The backend whose shared objects look like that. */
static const struct backend_entry *find_signed(const struct registry *registry, const struct shared_object *object)
{
    const struct backend_entry *unsigned_one = NULL;
    for (size_t i = 0; i < registry->backend_count; i++) {
        const struct backend_entry *entry = &registry->backends[i];
        const char *sign = toolchain_of(entry) ? toolchain_of(entry)->sign : NULL;
        if (sign && memmem(object->bytes, object->size, sign, strlen(sign) + 1))
            return entry;
        if (toolchain_of(entry) && !sign && !unsigned_one)
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
    for (const char *name; (name = shared_object_next(object, true, &at));) {
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

bool own_kernel_load_itself(struct own_kernel *kernel, struct error *error)
{
    return file_path_follow(kernel->path, kernel->object) ||
           error_set(error, "%s: %s, expected a path that it can be loaded from", kernel->label, strerror(errno));
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
    return ok && own_kernel_load_itself(kernel, error) &&
           form_of_function(kernel->function, kernel->label, registry, request->op, &kernel->form, error);
}

bool own_kernel_read_text(struct own_kernel *kernel, struct error *error)
{
    kernel->source = regular_file_read_text(kernel->path, kernel->label, SOURCE_BYTES_MAX, error);
    if (!kernel->source)
        return false;
    /* It would not be the compiler's first. */
    if (strncmp(kernel->source, byte_order_mark, strlen(byte_order_mark)) == 0)
        memset(kernel->source, ' ', strlen(byte_order_mark));
    return true;
}

enum { INCLUDED_BYTES_MAX = 1 << 22, INCLUDED_MAX = 64 };

/* Puts what a file has in the place of the line that includes it; frees the text. `outer` is what that is of. */
static char *put_included(char *text, const char *line, const char *path, const char *more, const char *outer)
{
    char name[PATH_MAX];
    size_t number = 1;
    snprintf(name, sizeof name, "%s", outer);
    for (const char *at = text; at < line; at += strcspn(at, "\n") + 1)
        number = sscanf(at, "#line %zu \"%4095[^\"]", &number, name) == 2 ? number : number + 1;
    char *made = memory_print("%.*s\n#line 1 \"%s\"\n%s\n#line %zu \"%s\"%s", (int)(line - text), text, path, more,
                              number + 1, name, line + strcspn(line, "\n"));
    free(text);
    return made;
}

/* Files beside this one that it includes become part of it, each once, so that their launches are read, too. */
static void include_own(struct own_kernel *kernel)
{
    static char paths[INCLUDED_MAX][PATH_MAX];
    const char *slash = strrchr(kernel->path, '/');
    size_t count = 1;
    snprintf(paths[0], PATH_MAX, "%s", kernel->path);
    struct part name;
    for (const char *line = kernel->source; count < INCLUDED_MAX && (line = include_next(line, &name));) {
        struct error ignored;
        size_t bytes, known = 0;
        snprintf(paths[count], PATH_MAX, "%.*s%.*s", slash ? (int)(slash + 1 - kernel->path) : 0, kernel->path,
                 PART(name));
        while (strcmp(paths[known], paths[count]) != 0)
            known++;
        char *more = regular_file_read(paths[count], paths[count], INCLUDED_BYTES_MAX, &bytes, &ignored);
        if (more && strlen(more) == bytes && (known == count || strstr(more, "#pragma once"))) {
            const size_t at = (size_t)(line - kernel->source);
            kernel->source = put_included(kernel->source, line, paths[count], known < count ? "" : more, kernel->path);
            line = kernel->source + at;
            count += known == count;
        } else {
            line++;
        }
        free(more);
    }
}

/* The text, and the backend that compiles it; NULL: none whose device is there. */
static bool read_source(const struct registry *registry, const struct own_request *request, struct own_kernel *kernel,
                        const char *expected, struct error *error)
{
    if (!own_kernel_compiling(registry, kernel->path, NULL))
        return error_set(error, "%s: expected %s", kernel->label, expected);
    if (!own_kernel_read_text(kernel, error))
        return false;
    find_compiling(registry, request, kernel);
    include_own(kernel);
    return true;
}

bool own_kernel_read_program(const struct registry *registry, const struct own_request *request,
                             struct own_kernel *kernel, struct error *error)
{
    if (!read_source(registry, request, kernel, "a file that ends in .cu", error))
        return false;
    kernel->form.kind = FORM_PROGRAM;
    snprintf(kernel->function, sizeof kernel->function, "main");
    return (kernel->backend && kernel->backend->simulates) ||
           error_set(error, "%s: has no __global__ function, expected a program in CUDA", kernel->label);
}

bool own_kernel_read(const struct registry *registry, const struct own_request *request, struct own_kernel *kernel,
                     struct error *error)
{
    static const char expected[] = ".c, .cpp, .py or .so (.cu needs CUDA or the simulator)";
    const bool is_object = own_kernel_is(kernel->path, ".so");
    if (!(is_object ? read_object(registry, request, kernel, error)
                    : read_source(registry, request, kernel, expected, error)))
        return false;
    if (!kernel->backend)
        return error_set(error, "%s: this build has no backend that could run it", kernel->label);
    kernel->form.call.size_is_said = request->has_size;
    kernel->form.call.is_cuda = toolchain_of(kernel->backend)->before_solution != NULL;
    return is_object ||
           form_find(kernel->source, kernel->label, registry, request->op, request->launch, &kernel->form, error);
}
