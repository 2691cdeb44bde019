#include "own_flag.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char *const kind_names[] = {[FORM_RUNG] = "rung", [FORM_SOLUTION] = "solution"};

void own_flag_write(struct own_kernel *kernel)
{
    snprintf(kernel->flag, sizeof kernel->flag, "--kernel-object=%s:%s:%s:%s:%s", kernel->backend->name,
             kernel->form.op->name, kind_names[kernel->form.kind], kernel->function, kernel->object);
}

bool own_flag_read(const struct registry *registry, const char *text, struct own_kernel *kernel)
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
