#include "form.h"

#include "blanked.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A definition with a body: a prototype ends with a semicolon. */
#define S "[[:space:]]"
static const char rung_pattern[] =
    "const" S "+char" S "*[*]" S "*([A-Za-z_][A-Za-z0-9_]*)" S "*[(]" S "*const" S "+void" S "*[*][^;{})]*[)]" S "*[{]";
static const char solution_pattern[] = "void" S "+solution" S "*[(][^;{})]*[)]" S "*[{]";

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

/* Where the first match ends; 0: there is none. `function` gets what is in parentheses. */
static size_t find(const char *pattern, const char *code, char *function, size_t size)
{
    regex_t regex;
    regmatch_t match[2];
    if (regcomp(&regex, pattern, REG_EXTENDED) != 0)
        return 0;
    bool found = regexec(&regex, code, 2, match, 0) == 0;
    regfree(&regex);
    if (found && function)
        snprintf(function, size, "%.*s", (int)(match[1].rm_eo - match[1].rm_so), code + match[1].rm_so);
    return found ? (size_t)match[0].rm_eo : 0;
}

/* The one function with an operation's name before it; none leaves `found` empty. False: there are several. */
static bool find_rung(const char *code, const char *name, const struct registry *registry,
                      char found[FORM_FUNCTION_BYTES], struct error *error)
{
    char function[FORM_FUNCTION_BYTES];
    found[0] = '\0';
    for (size_t end; (end = find(rung_pattern, code, function, sizeof function)) > 0; code += end) {
        if (!form_op(registry, function))
            continue;
        if (found[0] != '\0')
            return error_set(error, "%s: defines %s and %s, expected one kernel in a file", name, found, function);
        memcpy(found, function, sizeof function);
    }
    return true;
}

static bool is_missing(const char *name, const struct op *op, struct error *error)
{
    return error_set(error,
                     "%s: defines no kernel, expected const char *%s_NAME(const void *problem, void *stream) or void "
                     "solution(...); see docs/own-kernel.md",
                     name, op->name);
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

static bool find_in_code(const char *code, const char *name, const struct registry *registry, const struct op *op,
                         struct form *form, struct error *error)
{
    const struct op *likely = op ? op : registry->ops[0];
    char function[FORM_FUNCTION_BYTES];
    if (!find_rung(code, name, registry, function, error))
        return false;
    if (function[0] != '\0')
        return form_of_function(function, name, registry, op, form, error);
    *form = (struct form){.kind = FORM_SOLUTION, .op = likely};
    return find(solution_pattern, code, NULL, 0) > 0 || is_missing(name, likely, error);
}

bool form_find(const char *source, const char *name, const struct registry *registry, const struct op *op,
               struct form *form, struct error *error)
{
    char *code = strdup(source);
    if (!code)
        return error_set(error, "%s: no memory", name);
    blanked_make(code);
    bool ok = find_in_code(code, name, registry, op, form, error);
    free(code);
    return ok;
}
