#include "own_kernels.h"

#include "own_op.h"
#include "python.h"
#include "shared_object.h"

#include "bench/base/memory.h"
#include "bench/base/plain_text.h"
#include "bench/base/progress.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    struct own_kernel kernels[OWN_KERNELS_MAX];
    size_t count, first; /* of the rungs, its own are from there on */
    struct rung *rungs;
    const struct registry *registry;
} own;

static bool check_name(const struct own_kernel *kernel, struct error *error)
{
    for (const char *c = kernel->path; *c; c++)
        if (plain_text_control(c))
            return error_set(error, "%s: its name has a control character, expected a name of one line", kernel->label);
    for (const struct own_kernel *other = own.kernels; other < kernel; other++)
        if (strcmp(other->variant, kernel->variant) == 0 && other->file != kernel->file)
            return error_set(error, "%s: would be called %s, as %s is, expected files with different names",
                             kernel->label, kernel->variant, other->label);
    return true;
}

/* The flag by which the first process tells the next what became of a kernel. The next one does not read the file,
 * which its user may be writing by then. */
static void write_flag(struct own_kernel *kernel)
{
    const struct call *call = &kernel->form.call;
    snprintf(kernel->flag, sizeof kernel->flag, "--kernel-object=%s:%s:%d%s:%s:%s:%zu:%s", kernel->backend->name,
             kernel->form.op->name, call->has_int_sizes + 2 * call->adds_output, call->only, kernel->function,
             kernel->variant, kernel->file, kernel->object);
}

/* False: it is not as write_flag() makes it. */
static bool read_flag(const struct registry *registry, const struct own_request *request, const char *text,
                      struct own_kernel *kernel)
{
    char backend[32], op[64], sizes[sizeof kernel->form.call.only + 1], function[FORM_FUNCTION_BYTES], variant[48];
    size_t file;
    int length = 0;
    static_assert(sizeof function == 128 && sizeof sizes == 49 && sizeof variant == sizeof kernel->variant, "as below");
    if (sscanf(text, "%31[^:]:%63[^:]:%48[^:]:%127[^:]:%47[^:]:%zu:%n", backend, op, sizes, function, variant, &file,
               &length) != 6 ||
        length == 0 || file >= request->paths.count)
        return false;
    own_kernel_name(request->paths.items[file], kernel);
    memcpy(kernel->function, function, sizeof function);
    memcpy(kernel->variant, variant, sizeof variant);
    kernel->form.call.has_int_sizes = ((sizes[0] - '0') & 1) != 0;
    kernel->form.call.adds_output = ((sizes[0] - '0') & 2) != 0;
    strcpy(kernel->form.call.only, sizes + 1);
    snprintf(kernel->object, sizeof kernel->object, "%s", text + length);
    kernel->backend = registry_find_backend(registry, backend);
    kernel->form.op = registry_find_op(registry, op);
    return kernel->backend && kernel->form.op;
}

static struct own_kernel *add_kernel(const struct own_request *request, size_t file, struct error *error)
{
    if (own.count == OWN_KERNELS_MAX) {
        error_set(error, "--kernel=%s: makes more than %d kernels, expected that many at most; --launch=NAME takes one",
                  request->paths.items[file], OWN_KERNELS_MAX);
        return NULL;
    }
    struct own_kernel *kernel = &own.kernels[own.count++];
    *kernel = (struct own_kernel){.request = request, .file = file, .siblings = kernel, .sibling_count = 1};
    own_kernel_name(request->paths.items[file], kernel);
    return kernel;
}

/* By its operation, by its function, and by a number where that is not enough. */
static void name_sibling(struct own_kernel *kernel, size_t number)
{
    size_t of_op = 0;
    for (size_t i = 0; i < kernel->sibling_count; i++)
        of_op += kernel->siblings[i].form.op == kernel->form.op;
    if (of_op == 1)
        return;
    text_append(kernel->variant, sizeof kernel->variant, "_%s", kernel->form.call.function);
    for (const struct own_kernel *other = kernel->siblings; other < kernel; other++)
        if (strcmp(other->variant, kernel->variant) == 0) {
            kernel->variant[sizeof kernel->variant - 8] = '\0';
            text_append(kernel->variant, sizeof kernel->variant, "_%zu", number);
        }
}

/* Each of the functions of a file that could be meant is a kernel of its own. */
static bool read_file(const struct registry *registry, const struct own_request *request, size_t file,
                      struct error *error)
{
    struct own_kernel *first = &own.kernels[own.count];
    size_t count = 1;
    for (size_t i = 0; i < count; i++) {
        struct own_kernel *kernel = add_kernel(request, file, error);
        if (!kernel || (i == 0 && !check_name(kernel, error)))
            return false;
        kernel->form.call.which = i;
        if (!(python_is(kernel->path) ? python_read : own_kernel_read)(registry, request, kernel, error))
            return false;
        count = kernel->form.call.alternatives > 1 ? kernel->form.call.alternatives : 1;
        kernel->siblings = first;
        kernel->sibling_count = count;
    }
    for (size_t i = 0; i < count && count > 1; i++)
        name_sibling(&first[i], i);
    return true;
}

static bool read_all(const struct registry *registry, const struct own_request *request, struct error *error)
{
    own.count = 0;
    for (size_t i = 0; i < request->objects.count; i++) {
        struct own_kernel *kernel = add_kernel(request, 0, error);
        if (!kernel || !read_flag(registry, request, request->objects.items[i], kernel))
            return error_set(error, "--kernel-object: expected one as this program writes it for each --kernel");
    }
    for (size_t i = 0; i < request->paths.count && request->objects.count == 0; i++)
        if (!read_file(registry, request, i, error))
            return false;
    for (size_t i = 0; i < own.count && request->objects.count == 0; i++)
        if (!check_name(&own.kernels[i], error))
            return false;
    return true;
}

/* What is asked of an operation's rungs: the first one's precision, or what the output holds. */
static enum precision precision_of(const struct registry *registry, const struct op *op)
{
    static const enum precision of_type[ELEMENT_TYPES] = {
        [ELEMENT_FLOAT] = PRECISION_FP32,  [ELEMENT_BYTE] = PRECISION_U8,   [ELEMENT_INT8] = PRECISION_INT,
        [ELEMENT_INT32] = PRECISION_INT,   [ELEMENT_HALF] = PRECISION_FP16, [ELEMENT_BFLOAT16] = PRECISION_BF16,
        [ELEMENT_DOUBLE] = PRECISION_FP64,
    };
    for (size_t i = 0; i < registry->rung_count; i++)
        if (registry->rungs[i].op == op)
            return registry->rungs[i].precision;
    return of_type[op->args[op_output(op)].type];
}

static const char *not_loaded(const void *problem, void *stream)
{
    (void)problem;
    (void)stream;
    return "its shared object was not loaded";
}

static const char *load(const struct rung *rung)
{
    const size_t i = (size_t)(rung - own.rungs) - own.first;
    struct rung *mine = own.rungs + (rung - own.rungs);
    const struct own_kernel *kernel = &own.kernels[i];
    if (mine->run != not_loaded)
        return NULL;
    return python_is(kernel->path) ? python_load(kernel, &mine->run, &mine->unavailable)
                                   : compiled_load(kernel, &mine->run);
}

/* Why no rung runs there; NULL: they do. */
static const char *unavailable_on(const struct registry *registry, const struct backend_entry *backend)
{
    for (size_t i = 0; i < registry->rung_count && !backend->backend; i++)
        if (registry->rungs[i].backend == backend)
            return registry->rungs[i].unavailable;
    return NULL;
}

static struct rung make_rung(const struct registry *registry, const struct own_kernel *kernel)
{
    return (struct rung){
        .variant = kernel->variant,
        .op = kernel->form.op,
        .backend = kernel->backend,
        .run = kernel->backend->backend ? not_loaded : NULL,
        .unavailable = unavailable_on(registry, kernel->backend),
        .precision = precision_of(registry, kernel->form.op),
        .traits = (kernel->form.call.has_int_sizes ? RUNG_INT_SIZES : 0U) |
                  (kernel->form.call.adds_output ? RUNG_ADDS_OUTPUT : 0U) |
                  (kernel->request->unordered ? RUNG_UNORDERED : 0U),
        .only = kernel->form.call.only,
        .summary = kernel->summary,
        .load = load,
        .is_hosted = python_is(kernel->path),
    };
}

bool own_kernels_read(const struct registry *registry, const struct own_request *request, struct registry *extended,
                      struct error *error)
{
    *extended = *registry;
    if (!read_all(registry, request, error))
        return false;
    own.rungs = memory_get(registry->rung_count + own.count, sizeof *own.rungs);
    memcpy(own.rungs, registry->rungs, registry->rung_count * sizeof *own.rungs);
    own.first = registry->rung_count;
    own.registry = registry;
    for (size_t i = 0; i < own.count; i++)
        own.rungs[extended->rung_count++] = make_rung(registry, &own.kernels[i]);
    extended->rungs = own.rungs;
    return true;
}

char *const *own_kernels_host(const struct rung *rung)
{
    const struct own_kernel *kernel = &own.kernels[(size_t)(rung - own.rungs) - own.first];
    return python_is(kernel->path) ? python_arguments(kernel->object) : NULL;
}

bool own_kernels_are_simulated(void)
{
    for (size_t i = 0; i < own.count; i++)
        if (own.kernels[i].backend->simulates)
            return true;
    return false;
}

/* What does the work for a kernel: names of libraries' functions, but for those that only prepare. */
static bool is_work_of_others(const struct own_kernel *kernel, const char *name)
{
    struct part found;
    bool is_others = form_op(own.registry, name) != NULL;
    for (const char *const *begin = kernel->backend->backend->toolchain->libraries; *begin; begin++)
        is_others = is_others || strncmp(name, *begin, strlen(*begin)) == 0;
    return is_others && !pattern_find("Create|Destroy|Set|Get", part_of(name), &found, 1);
}

/* CUDA's runtime, which is in each object, loads libraries too. */
static bool is_said_to_load(const struct own_kernel *kernel, const char *name)
{
    return (strcmp(name, "dlopen") == 0 || strcmp(name, "dlsym") == 0) && kernel->source &&
           strstr(kernel->source, name);
}

/* Also of one that was compiled elsewhere. */
static void find_calls(struct own_kernel *kernel)
{
    struct shared_object object;
    struct error ignored;
    size_t at = 0;
    if (!shared_object_read(kernel->object, kernel->label, &object, &ignored))
        return;
    for (const char *name; (name = shared_object_next(&object, false, &at));)
        if (is_work_of_others(kernel, name) || is_said_to_load(kernel, name))
            snprintf(kernel->calls, sizeof kernel->calls, "%s", name);
    char *version = strstr(kernel->calls, "_v2"); /* headers have macros for names without it */
    if (version)
        *version = '\0';
    shared_object_free(&object);
}

/* Where there is nvcc and no GPU: what only the simulator takes is no CUDA. */
static bool ask_compiler_of_device(const struct own_kernel *kernel, struct error *error)
{
    const struct backend_entry *device = NULL;
    while ((device = own_kernel_compiling(own.registry, kernel->path, device)) && !device->separate_memory) {
    }
    if (!device || !kernel->backend->simulates || kernel->request->simulate || !kernel->source ||
        kernel->form.call.which > 0)
        return true;
    struct own_kernel other = *kernel;
    other.backend = device;
    if (!compile_has_compiler(&other))
        return true;
    char line[PATH_MAX + 96];
    if (!compile(&other, error))
        return false;
    snprintf(line, sizeof line, "%s: nvcc accepts it; simulated because there is no GPU", kernel->label);
    progress_note(line);
    return true;
}

/* What was found out, where the file does not say it by its names. */
static void say_call(const struct own_kernel *kernel)
{
    const struct call *call = &kernel->form.call;
    char line[sizeof call->shown + PATH_MAX + 64];
    if (python_is(kernel->path) && kernel->request->objects.count == 0) {
        snprintf(line, sizeof line, "%s: calls %s() in a process of Python's, where it can reach what times it",
                 kernel->label, kernel->function);
        progress_note(line);
    }
    if (!kernel->source || kernel->form.kind != FORM_CALL || strncmp(call->shown, "solution(", 9) == 0)
        return;
    snprintf(line, sizeof line, "%s: calls %s", kernel->label, call->shown);
    progress_note(line);
}

bool own_kernels_compile(struct error *error)
{
    bool ok = true;
    for (size_t i = 0; i < own.count && ok; i++) {
        struct own_kernel *kernel = &own.kernels[i];
        ok = !kernel->source || compile(kernel, error);
        ok = ok && ask_compiler_of_device(kernel, error);
        if (ok)
            say_call(kernel);
        find_calls(kernel);
        own.rungs[own.first + i].calls = kernel->calls;
        write_flag(kernel);
    }
    return ok;
}

char **own_kernels_flags(char *const *shared)
{
    size_t count = 0;
    while (shared[count])
        count++;
    char **flags = memory_get(count + own.count + 2, sizeof *flags);
    memcpy(flags, shared, count * sizeof *flags);
    for (size_t i = 0; i < own.count; i++)
        flags[count + i] = own.kernels[i].flag;
    flags[count + own.count] = own_op_flag();
    return flags;
}

void own_kernels_forget(void)
{
    for (size_t i = 0; i < own.count; i++)
        free(own.kernels[i].source);
    free(own.rungs);
    memset(&own, 0, sizeof own);
}
