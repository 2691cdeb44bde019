#include "form.h"

#include <stdio.h>
#include <string.h>

const struct op *form_op(const struct registry *registry, const char *function)
{
    const struct op *longest = NULL;
    for (size_t i = 0; i < registry->op_count; i++) {
        size_t length = strlen(registry->ops[i]->name);
        if (strncmp(function, registry->ops[i]->name, length) == 0 && function[length] == '_' &&
            (!longest || length > strlen(longest->name)))
            longest = registry->ops[i];
    }
    return longest;
}

bool form_of_function(const char *function, const char *name, const struct registry *registry, const struct op *op,
                      struct form *form, struct error *error)
{
    snprintf(form->function, sizeof form->function, "%s", function);
    form->kind = FORM_RUNG;
    form->op = form_op(registry, function);
    return !op || form->op == op ||
           error_set(error, "%s: defines %s, which is of %s, expected a kernel of --op=%s", name, function,
                     form->op->name, op->name);
}

/* "const char *matmul_mine(const void *problem, void *stream)" */
static bool is_rung(const struct function *function)
{
    return part_has_word(function->head, "char") && function->count == 2 &&
           part_has_word(function->parameters[0].text, "void") && function->parameters[0].kind == PARAMETER_POINTER &&
           function->parameters[1].kind == PARAMETER_POINTER;
}

/* The one function with an operation's name before it; none leaves `found` empty. False: there are several. */
static bool find_rung(const struct source *source, const char *name, const struct registry *registry,
                      char found[FORM_FUNCTION_BYTES], struct error *error)
{
    char function[FORM_FUNCTION_BYTES];
    found[0] = '\0';
    for (size_t i = 0; i < source->count; i++) {
        snprintf(function, sizeof function, "%.*s", PART(source->functions[i].name));
        if (!is_rung(&source->functions[i]) || !form_op(registry, function))
            continue;
        if (found[0] != '\0')
            return error_set(error, "%s: defines %s and %s, expected one kernel in a file", name, found, function);
        memcpy(found, function, sizeof function);
    }
    return true;
}

/* Lines stay where they are. */
static void leave_out_main(const struct source *source, char *text)
{
    const struct function *found = source_find(source, part_of("main"));
    const char *begin = found ? found->head.at : NULL, *end = found ? found->body.at + found->body.length : NULL;
    for (char *at = text + (begin ? begin - source->code : 0); begin < end; begin++, at++)
        *at = *at == '\n' ? '\n' : ' ';
}

bool form_find(char *text, const char *name, const struct registry *registry, const struct op *op, const char *launch,
               struct form *form, struct error *error)
{
    char function[FORM_FUNCTION_BYTES];
    struct source source = source_read(text);
    bool ok = find_rung(&source, name, registry, function, error);
    if (ok && function[0] != '\0') {
        ok = form_of_function(function, name, registry, op, form, error);
    } else if (ok) {
        form->kind = FORM_CALL;
        form->op = op ? op : registry->ops[0];
        ok = call_make(&source, form->op, launch, name, &form->call, error);
        leave_out_main(&source, text);
    }
    source_free(&source);
    return ok;
}
