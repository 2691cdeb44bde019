#include "own_kernels.h"

#include "bench/base/plain_text.h"
#include "bench/base/regular_file.h"
#include "compile.h"
#include "loading.h"
#include "shared_object.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE_BYTES_MAX = 1 << 24 };
static const char shared_object_suffix[] = ".so";

struct own_kernel {
    const char *path;
    char label[PATH_MAX + 16]; /* "--kernel=mine.cu" */
    char variant[48];          /* "kernel_mine" */
    char summary[PATH_MAX + 32];
    char *source; /* to be compiled; NULL: it is */
    struct form form;
    const struct backend_entry *backend;
    char target[64]; /* the flag for its device; empty: none */
    char object[PATH_MAX];
    char function[FORM_FUNCTION_BYTES]; /* of the object */
    struct cache_workplace workplace;   /* holds the object; no folder: it lies elsewhere */
    char flag[PATH_MAX + 512];          /* for the next process */
};

static struct {
    struct own_kernel kernels[OWN_KERNELS_MAX];
    size_t count;
    struct rung *rungs;
    char *flags[OWN_KERNELS_MAX + 1];
} own;

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

static bool check_name(const struct own_kernel *kernel, struct error *error)
{
    for (const char *c = kernel->path; *c; c++)
        if (plain_text_control(c))
            return error_set(error, "%s: its name has a control character, expected a name of one line", kernel->label);
    for (const struct own_kernel *other = own.kernels; other < kernel; other++)
        if (strcmp(other->variant, kernel->variant) == 0)
            return error_set(error, "%s: would be called %s, as %s is, expected files with different names",
                             kernel->label, kernel->variant, other->label);
    return true;
}

/* The backend that compiles files with that suffix: the first one whose device is there. */
static const struct backend_entry *find_compiling(const struct registry *registry, const struct own_request *request,
                                                  struct own_kernel *kernel)
{
    for (size_t i = 0; i < registry->backend_count; i++) {
        const struct backend_entry *entry = &registry->backends[i];
        const struct toolchain *toolchain = entry->backend ? entry->backend->toolchain : NULL;
        if (!toolchain || !is_suffix(kernel->path, toolchain->suffix) || (request->simulate && entry->separate_memory))
            continue;
        const char *target = toolchain->target ? toolchain->target(request->device) : "";
        if (!target)
            continue;
        snprintf(kernel->target, sizeof kernel->target, "%s", target);
        return entry;
    }
    return NULL;
}

/* The backend whose shared objects look like that. */
static const struct backend_entry *find_signed(const struct registry *registry, const struct shared_object *object)
{
    const struct backend_entry *unsigned_one = NULL;
    for (size_t i = 0; i < registry->backend_count; i++) {
        const struct backend_entry *entry = &registry->backends[i];
        const struct toolchain *toolchain = entry->backend ? entry->backend->toolchain : NULL;
        if (toolchain && toolchain->sign && shared_object_has(object, toolchain->sign))
            return entry;
        if (toolchain && !toolchain->sign && !unsigned_one)
            unsigned_one = entry;
    }
    return unsigned_one;
}

struct found_function {
    const struct registry *registry;
    char name[FORM_FUNCTION_BYTES], second[FORM_FUNCTION_BYTES];
};

static void note_function(void *self, const char *name)
{
    struct found_function *found = self;
    if (form_op(found->registry, name))
        snprintf(found->name[0] ? found->second : found->name, sizeof found->name, "%s", name);
}

static bool read_object(const struct registry *registry, const struct own_request *request, struct own_kernel *kernel,
                        struct error *error)
{
    struct shared_object object;
    struct found_function found = {.registry = registry};
    if (!shared_object_read(kernel->path, kernel->label, &object, error))
        return false;
    shared_object_functions(&object, note_function, &found);
    kernel->backend = find_signed(registry, &object);
    shared_object_free(&object);
    if (found.second[0] != '\0')
        return error_set(error, "%s: defines %s and %s, expected one kernel in a file", kernel->label, found.name,
                         found.second);
    if (found.name[0] == '\0')
        return error_set(error,
                         "%s: defines no kernel, expected a C function %s_NAME(const void *problem, void *stream)",
                         kernel->label, (request->op ? request->op : registry->ops[0])->name);
    char *followed = realpath(kernel->path, NULL); /* dlopen() looks elsewhere for a name without a slash */
    snprintf(kernel->object, sizeof kernel->object, "%s", followed ? followed : kernel->path);
    free(followed);
    snprintf(kernel->function, sizeof kernel->function, "%s", found.name);
    return form_of_function(found.name, kernel->label, registry, request->op, &kernel->form, error);
}

static bool is_compiled(const struct registry *registry, const char *path)
{
    for (size_t i = 0; i < registry->backend_count; i++) {
        const struct backend *backend = registry->backends[i].backend;
        if (backend && backend->toolchain && is_suffix(path, backend->toolchain->suffix))
            return true;
    }
    return false;
}

static bool read_source(const struct registry *registry, const struct own_request *request, struct own_kernel *kernel,
                        struct error *error)
{
    size_t bytes;
    if (!is_compiled(registry, kernel->path))
        return error_set(error, "%s: expected a file that ends in .cu, .c or .so", kernel->label);
    kernel->source = regular_file_read(kernel->path, kernel->label, SOURCE_BYTES_MAX, &bytes, error);
    if (!kernel->source)
        return false;
    snprintf(kernel->function, sizeof kernel->function, "%s", COMPILED_FUNCTION);
    if (strlen(kernel->source) != bytes)
        return error_set(error, "%s: has a zero byte, expected source text", kernel->label);
    return form_find(kernel->source, kernel->label, registry, request->op, &kernel->form, error);
}

static const char *const kind_names[] = {[FORM_RUNG] = "rung", [FORM_SOLUTION] = "solution"};

/* What the next process must know. It does not read the file, which its user may be writing by then. */
static void write_flag(struct own_kernel *kernel)
{
    snprintf(kernel->flag, sizeof kernel->flag, "--kernel-object=%s:%s:%s:%s:%s", kernel->backend->name,
             kernel->form.op->name, kind_names[kernel->form.kind], kernel->function, kernel->object);
}

/* The part of the text up to a colon, without it. False: there is none. */
static bool take_part(const char **text, char *part, size_t size)
{
    size_t length = strcspn(*text, ":");
    if ((*text)[length] != ':' || length >= size)
        return false;
    snprintf(part, size, "%.*s", (int)length, *text);
    *text += length + 1;
    return true;
}

static bool read_flag(const struct registry *registry, const char *text, struct own_kernel *kernel)
{
    char backend[32], op[64], kind[16];
    if (!take_part(&text, backend, sizeof backend) || !take_part(&text, op, sizeof op) ||
        !take_part(&text, kind, sizeof kind) || !take_part(&text, kernel->function, sizeof kernel->function))
        return false;
    snprintf(kernel->object, sizeof kernel->object, "%s", text);
    for (size_t i = 0; i < registry->backend_count; i++)
        if (strcmp(registry->backends[i].name, backend) == 0)
            kernel->backend = &registry->backends[i];
    for (size_t i = 0; i < registry->op_count; i++)
        if (strcmp(registry->ops[i]->name, op) == 0)
            kernel->form.op = registry->ops[i];
    kernel->form.kind = strcmp(kind, kind_names[FORM_SOLUTION]) == 0 ? FORM_SOLUTION : FORM_RUNG;
    return kernel->backend && kernel->form.op;
}

static bool read_kernel(const struct registry *registry, const struct own_request *request, size_t i,
                        struct error *error)
{
    struct own_kernel *kernel = &own.kernels[i];
    *kernel = (struct own_kernel){.path = request->paths[i]};
    snprintf(kernel->label, sizeof kernel->label, "--kernel=%s", kernel->path);
    snprintf(kernel->summary, sizeof kernel->summary, "your own: %s", kernel->path);
    name_variant(kernel->path, kernel->variant, sizeof kernel->variant);
    if (!check_name(kernel, error))
        return false;
    if (request->object_count > 0)
        return (i < request->object_count && read_flag(registry, request->objects[i], kernel)) ||
               error_set(error, "--kernel-object: expected one as this program writes it for each --kernel");
    bool is_object = is_suffix(kernel->path, shared_object_suffix);
    if (!(is_object ? read_object : read_source)(registry, request, kernel, error))
        return false;
    if (!is_object)
        kernel->backend = find_compiling(registry, request, kernel);
    return kernel->backend || error_set(error, "%s: this build has no backend that could run it", kernel->label);
}

/* What is asked of an operation's rungs: the first one's precision. */
static enum precision precision_of(const struct registry *registry, const struct op *op)
{
    for (size_t i = 0; i < registry->rung_count; i++)
        if (registry->rungs[i].op == op)
            return registry->rungs[i].precision;
    return PRECISION_FP32;
}

static const char *not_loaded(const void *problem, void *stream)
{
    (void)problem;
    (void)stream;
    return "its shared object was not loaded";
}

static const char *load(const struct rung *rung)
{
    size_t i = 0;
    while (strcmp(own.kernels[i].variant, rung->variant) != 0)
        i++;
    struct rung *mine = own.rungs + (rung - own.rungs);
    return mine->run == not_loaded ? loading_run(own.kernels[i].object, own.kernels[i].function, &mine->run) : NULL;
}

static struct rung make_rung(const struct registry *registry, const struct own_kernel *kernel)
{
    return (struct rung){
        .variant = kernel->variant,
        .op = kernel->form.op,
        .backend = kernel->backend,
        .run = not_loaded,
        .precision = precision_of(registry, kernel->form.op),
        .traits = kernel->form.kind == FORM_SOLUTION ? RUNG_INT_SIZES : 0,
        .summary = kernel->summary,
        .load = load,
    };
}

bool own_kernels_read(const struct registry *registry, const struct own_request *request, struct registry *extended,
                      struct error *error)
{
    *extended = *registry;
    for (own.count = 0; own.count < request->count; own.count++)
        if (!read_kernel(registry, request, own.count, error)) {
            own.count++;
            return false;
        }
    own.rungs = malloc((registry->rung_count + own.count) * sizeof *own.rungs);
    if (!own.rungs)
        return error_set(error, "no memory for the table of rungs");
    memcpy(own.rungs, registry->rungs, registry->rung_count * sizeof *own.rungs);
    for (size_t i = 0; i < own.count; i++)
        own.rungs[extended->rung_count++] = make_rung(registry, &own.kernels[i]);
    extended->rungs = own.rungs;
    return true;
}

bool own_kernels_are_simulated(void)
{
    for (size_t i = 0; i < own.count; i++)
        if (own.kernels[i].backend->simulates)
            return true;
    return false;
}

bool own_kernels_compile(const struct own_compiling *compiling, struct error *error)
{
    for (size_t i = 0; i < own.count; i++) {
        struct own_kernel *kernel = &own.kernels[i];
        const struct compilation compilation = {
            .path = kernel->path,
            .source = kernel->source,
            .form = &kernel->form,
            .toolchain = kernel->backend->backend->toolchain,
            .target = kernel->target[0] ? kernel->target : NULL,
            .interrupted = compiling->interrupted,
            .now = compiling->now,
            .says = compiling->says,
        };
        if (kernel->source && !compile(&compilation, kernel->object, &kernel->workplace, error))
            return false;
        write_flag(kernel);
        own.flags[i] = kernel->flag;
    }
    return true;
}

char *const *own_kernels_flags(void)
{
    return own.flags;
}

void own_kernels_forget(void)
{
    for (size_t i = 0; i < own.count; i++) {
        free(own.kernels[i].source);
        if (own.kernels[i].workplace.folder[0] != '\0')
            cache_forget(&own.kernels[i].workplace);
    }
    free(own.rungs);
    memset(&own, 0, sizeof own);
}
