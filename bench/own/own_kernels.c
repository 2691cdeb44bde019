#include "own_kernels.h"

#include "own_op.h"

#include "bench/base/plain_text.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    struct own_kernel kernels[OWN_KERNELS_MAX];
    size_t count;
    struct rung *rungs;
} own;

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

/* The flag by which the first process tells the next what became of a kernel. The next one does not read the file,
 * which its user may be writing by then. */
static const char *const kind_names[] = {[FORM_RUNG] = "rung", [FORM_SOLUTION] = "solution"};

static void write_flag(struct own_kernel *kernel)
{
    snprintf(kernel->flag, sizeof kernel->flag, "--kernel-object=%s:%s:%s:%s:%s", kernel->backend->name,
             kernel->form.op->name, kind_names[kernel->form.kind], kernel->function, kernel->object);
}

/* False: it is not as write_flag() makes it. */
static bool read_flag(const struct registry *registry, const char *text, struct own_kernel *kernel)
{
    char backend[32], op[64], kind[16];
    int length = 0;
    static_assert(sizeof kernel->function == 128, "as below");
    if (sscanf(text, "%31[^:]:%63[^:]:%15[^:]:%127[^:]:%n", backend, op, kind, kernel->function, &length) != 4 ||
        length == 0)
        return false;
    snprintf(kernel->object, sizeof kernel->object, "%s", text + length);
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
    *kernel = (struct own_kernel){0};
    own_kernel_name(request->paths.items[i], kernel);
    if (!check_name(kernel, error))
        return false;
    if (request->objects.count == 0)
        return own_kernel_read(registry, request, kernel, error);
    return (i < request->objects.count && read_flag(registry, request->objects.items[i], kernel)) ||
           error_set(error, "--kernel-object: expected one as this program writes it for each --kernel");
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
    size_t i = 0;
    while (strcmp(own.kernels[i].variant, rung->variant) != 0)
        i++;
    struct rung *mine = own.rungs + (rung - own.rungs);
    return mine->run == not_loaded ? compiled_load(&own.kernels[i], &mine->run) : NULL;
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
    for (own.count = 0; own.count < request->paths.count; own.count++)
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
    struct error note = {""}; /* of all of them: they have one reason */
    bool ok = true;
    for (size_t i = 0; i < own.count && ok; i++) {
        struct own_kernel *kernel = &own.kernels[i];
        ok = !kernel->source || compile(compiling, kernel, &note, error);
        write_flag(kernel);
    }
    if (note.text[0] != '\0')
        compiling->note(note.text);
    return ok;
}

char **own_kernels_flags(char *const *shared)
{
    size_t count = 0, at = 0;
    while (shared[count])
        count++;
    char **flags = calloc(count + own.count + 2, sizeof *flags);
    for (; flags && at < count; at++)
        flags[at] = shared[at];
    for (size_t i = 0; flags && i < own.count; i++)
        flags[at++] = own.kernels[i].flag;
    if (flags)
        flags[at] = own_op_flag();
    return flags;
}

void own_kernels_forget(void)
{
    for (size_t i = 0; i < own.count; i++)
        free(own.kernels[i].source);
    free(own.rungs);
    memset(&own, 0, sizeof own);
}
