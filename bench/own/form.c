#include "form.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *blank(char *from, const char *end)
{
    for (; from < end; from++)
        if (*from != '\n')
            *from = ' ';
    return from;
}

static char *end_of_line(char *at)
{
    for (at += strcspn(at, "\n"); *at && at[-1] == '\\'; at += strcspn(at, "\n"))
        at++;
    return at;
}

static char *end_of_comment(char *at)
{
    char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

/* Behind the quote that ends what the quote at `at` begins, or at the end of the line. */
static char *end_of_literal(char *at)
{
    char quote = *at++;
    while (*at && *at != '\n' && *at != quote)
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return at + (*at == quote);
}

/* A quote between digits keeps them apart: 1'000. */
static bool begins_literal(const char *source, const char *at)
{
    return *at == '"' || (*at == '\'' && (at == source || !isxdigit((unsigned char)at[-1])));
}

void blanked_make(char *source)
{
    for (char *at = source; *at;) {
        if (at[0] == '/' && at[1] == '/')
            at = blank(at, end_of_line(at));
        else if (at[0] == '/' && at[1] == '*')
            at = blank(at, end_of_comment(at));
        else if (begins_literal(source, at))
            at = blank(at, end_of_literal(at));
        else
            at++;
    }
}

bool blanked_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* How definitions begin, up to arguments that are not looked at. */
static const char any_name[] = "";
static const char *const rung_head[] = {"const", "char", "*", any_name, "(", "const", "void", "*", NULL};
static const char *const solution_head[] = {"void", "solution", "(", NULL};

struct name {
    const char *start;
    size_t length;
};

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

/* Where the code goes on after a word or a mark. NULL: it has another there. */
static const char *after(const char *code, const char *token, struct name *name)
{
    code += strspn(code, " \t\r\n\v\f");
    size_t length = strlen(token);
    if (token == any_name) {
        while (blanked_is_word(code[length]))
            length++;
        *name = (struct name){code, length};
        return length > 0 ? code + length : NULL;
    }
    if (strncmp(code, token, length) != 0 || (blanked_is_word(token[0]) && blanked_is_word(code[length])))
        return NULL;
    return code + length;
}

static const char *after_head(const char *code, const char *const *head, struct name *name)
{
    for (; code && *head; head++)
        code = after(code, *head, name);
    return code;
}

/* Finds the next definition that begins so, with a body: a prototype ends with a semicolon. Returns where its arguments
 * end; NULL: there is none. What lies before the end of arguments without a body has none either, so no character is
 * looked at more than a few times. */
static const char *find(const char *code, const char *const *head, struct name *name)
{
    while (*code) {
        const char *arguments = *code == head[0][0] ? after_head(code, head, name) : NULL;
        code = arguments ? arguments + strcspn(arguments, ";{})") : code + 1;
        if (arguments && *code == ')' && after(code + 1, "{", name))
            return code;
    }
    return NULL;
}

/* The one function with an operation's name before it; none leaves `found` empty. False: there are several. */
static bool find_rung(const char *code, const char *name, const struct registry *registry,
                      char found[FORM_FUNCTION_BYTES], struct error *error)
{
    char function[FORM_FUNCTION_BYTES];
    struct name defined;
    found[0] = '\0';
    while ((code = find(code, rung_head, &defined))) {
        snprintf(function, sizeof function, "%.*s", (int)defined.length, defined.start);
        if (!form_op(registry, function))
            continue;
        if (found[0] != '\0')
            return error_set(error, "%s: defines %s and %s, expected one kernel in a file", name, found, function);
        memcpy(found, function, sizeof function);
    }
    return true;
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
    struct name ignored;
    if (!find_rung(code, name, registry, function, error))
        return false;
    if (function[0] != '\0')
        return form_of_function(function, name, registry, op, form, error);
    *form = (struct form){.kind = FORM_SOLUTION, .op = likely};
    return find(code, solution_head, &ignored) ||
           error_set(error,
                     "%s: defines no kernel, expected const char *%s_NAME(const void *problem, void *stream) or void "
                     "solution(...); see docs/own-kernel.md",
                     name, likely->name);
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
