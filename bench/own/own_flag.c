#include "own_flag.h"

#include <stdio.h>
#include <string.h>

static const char *const kind_names[] = {[FORM_RUNG] = "rung", [FORM_SOLUTION] = "solution"};

void own_flag_write(struct own_kernel *kernel)
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

bool own_flag_read(const struct registry *registry, const char *text, struct own_kernel *kernel)
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
