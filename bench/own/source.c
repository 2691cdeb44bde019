#define _GNU_SOURCE /* memmem() */
#include "source.h"

#include "bench/base/memory.h"

#include <ctype.h>
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

static void blank_directives(char *code)
{
    for (char *line = code; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (line[strspn(line, " \t\r")] == '#')
            line = blank(line, end_of_line(line));
}

bool blanked_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

struct part part_trim(struct part part)
{
    for (; part.length > 0 && isspace((unsigned char)part.at[0]); part.length--)
        part.at++;
    while (part.length > 0 && isspace((unsigned char)part.at[part.length - 1]))
        part.length--;
    return part;
}

bool part_is(struct part part, const char *text)
{
    return strlen(text) == part.length && strncmp(part.at, text, part.length) == 0;
}

bool part_same(struct part one, struct part other)
{
    return one.length == other.length && strncmp(one.at, other.at, one.length) == 0;
}

static struct part behind(struct part part, const char *at)
{
    return (struct part){at, (size_t)(part.at + part.length - at)};
}

bool part_next_name(struct part *in, struct part *name)
{
    const char *at = in->at, *end = in->at + in->length;
    while (at < end) {
        const char *start = at;
        while (at < end && blanked_is_word(*at))
            at++;
        if (at > start && !isdigit((unsigned char)*start)) {
            *name = (struct part){start, (size_t)(at - start)};
            *in = behind(*in, at);
            return true;
        }
        at += at == start;
    }
    *in = behind(*in, end);
    return false;
}

bool part_has_word(struct part part, const char *word)
{
    for (struct part name; part_next_name(&part, &name);)
        if (part_is(name, word))
            return true;
    return false;
}

/* The bracket that closes what the one at `at` opens; the end, if none does. */
static const char *matching(const char *at, const char *end)
{
    int depth = 0;
    for (; at < end; at++) {
        depth += *at == '(' || *at == '[' || *at == '{';
        depth -= *at == ')' || *at == ']' || *at == '}';
        if (depth == 0)
            return at;
    }
    return end;
}

struct part part_up_to(struct part part, char mark)
{
    const char *at = memchr(part.at, mark, part.length);
    return (struct part){part.at, at ? (size_t)(at - part.at) : part.length};
}

struct part part_in_brackets(struct part part)
{
    const char *close = matching(part.at, part.at + part.length);
    return (struct part){part.at + 1, (size_t)(close - part.at - 1)};
}

size_t part_split(struct part whole, struct part *parts, size_t most)
{
    const char *start = whole.at, *end = whole.at + whole.length, *at = start;
    size_t count = 0;
    int angles = 0;
    for (whole = part_trim(whole); whole.length > 0; at++) {
        if (at < end && strchr("([{", *at)) {
            at = matching(at, end);
            at -= at == end;
        } else if (at < end && (*at == '<' || *at == '>')) {
            angles += *at == '<' ? memchr(at, '>', (size_t)(end - at)) != NULL : at[-1] == '-' ? 0 : -1;
        } else if (at == end || (*at == ',' && angles <= 0)) {
            if (count == most)
                return most + 1;
            parts[count++] = part_trim((struct part){start, (size_t)(at - start)});
            start = at + 1;
            if (at == end)
                break;
        }
    }
    return count;
}

static bool is_among(struct part name, const char *const *words)
{
    for (; *words; words++)
        if (part_is(name, *words))
            return true;
    return false;
}

/* "const float *__restrict__ a", "int n = 1", "float a[]" */
static struct parameter read_parameter(struct part text)
{
    static const char
        *const integers[] = {"int",      "unsigned", "long",     "short",     "size_t",  "uint",  "int32_t",
                             "uint32_t", "int64_t",  "uint64_t", "ptrdiff_t", "ssize_t", "ulong", NULL},
               *const reals[] = {"float", "double", NULL},
               *const skipped[] = {
                   "const", "__restrict__", "__restrict", "restrict", "unsigned",          "signed", "struct", "std",
                   "torch", "at",           "long",       "volatile", "__grid_constant__", NULL};
    struct parameter parameter = {.text = text};
    struct part declared = part_up_to(text, '='), rest = part_up_to(declared, '['), name;
    const bool is_pointer = rest.length < declared.length || memchr(rest.at, '*', rest.length);
    bool is_integer = false;
    while (part_next_name(&rest, &name)) {
        parameter.is_const = parameter.is_const || part_is(name, "const");
        is_integer = is_integer || (is_among(name, integers) && parameter.type.length == 0);
        if (parameter.name.length > 0 && parameter.type.length == 0 && !is_among(parameter.name, skipped))
            parameter.type = parameter.name;
        parameter.name = name;
    }
    parameter.kind = is_pointer                                ? PARAMETER_POINTER
                     : is_among(parameter.type, reals)         ? PARAMETER_REAL
                     : part_is(parameter.type, "Tensor")       ? PARAMETER_TENSOR
                     : part_is(parameter.type, "cudaStream_t") ? PARAMETER_STREAM
                     : is_integer                              ? PARAMETER_INTEGER
                                                               : PARAMETER_OTHER;
    return parameter;
}

/* The function whose parameters stand between these parentheses, if it is one. False: it is none, or has too many. */
static bool read_function(const char *head, const char *open, const char *close, struct function *function)
{
    struct part parts[PARAMETERS_MAX];
    const char *end = open;
    while (end > head && isspace((unsigned char)end[-1]))
        end--;
    const char *start = end;
    while (start > head && blanked_is_word(start[-1]))
        start--;
    *function = (struct function){.head = part_trim((struct part){head, (size_t)(start - head)}),
                                  .name = {start, (size_t)(end - start)}};
    function->count = part_split((struct part){open + 1, (size_t)(close - open - 1)}, parts, PARAMETERS_MAX);
    if (start == end || isdigit((unsigned char)*start) || function->head.length == 0 ||
        function->count > PARAMETERS_MAX)
        return false;
    for (size_t i = 0; i < function->count; i++)
        function->parameters[i] = read_parameter(parts[i]);
    if (function->count == 1 && part_is(parts[0], "void"))
        function->count = 0;
    function->is_kernel = part_has_word(function->head, "__global__");
    function->is_template = part_has_word(function->head, "template");
    return true;
}

/* Of more nobody would choose one. */
enum { FUNCTIONS_MAX = 256 };

static void add_function(struct source *source, const struct function *function)
{
    if (source->count == FUNCTIONS_MAX)
        return;
    source->functions = memory_grow(source->functions, source->count, sizeof *function);
    source->functions[source->count++] = *function;
}

/* Whether what the brace behind `head` opens has definitions of functions in it. */
static bool is_scope(struct part head)
{
    return part_has_word(head, "namespace") || part_is(part_trim(head), "extern");
}

/* "namespace a" */
static void add_namespace(struct source *source, struct part head)
{
    struct part word, last = {0};
    bool is_named = false;
    while (part_next_name(&head, &word)) {
        last = is_named ? word : last;
        is_named = is_named || part_is(word, "namespace");
    }
    if (last.length > 0 && source->namespace_count < NAMESPACES_MAX)
        source->namespaces[source->namespace_count++] = last;
}

/* Definitions outside of bodies; no character is looked at more than a few times. */
static void find_functions(struct source *source)
{
    const char *end = source->code + strlen(source->code), *head = source->code, *open = NULL, *close = NULL;
    for (const char *at = head; at < end; at++) {
        if (*at == ';' || *at == '}') {
            head = at + 1;
            open = NULL;
        } else if (*at == '(' || *at == '[') {
            open = *at == '(' ? at : open;
            at = matching(at, end);
            close = open ? at : NULL;
        } else if (*at == '{') {
            struct function function;
            const bool is_function = open && close < end && read_function(head, open, close, &function);
            open = NULL;
            if (!is_function && is_scope((struct part){head, (size_t)(at - head)})) {
                add_namespace(source, (struct part){head, (size_t)(at - head)});
                head = at + 1;
                continue;
            }
            const char *last = matching(at, end);
            function.body = (struct part){at, (size_t)(last - at) + (last < end)};
            if (is_function)
                add_function(source, &function);
            head = is_function ? last + 1 : head;
            at = last;
        }
    }
}

const char *include_next(const char *text, struct part *name)
{
    static const char word[] = "include";
    for (const char *at = text; (at = strchr(at, '#')); at++) {
        const char *line = at, *rest = at + 1 + strspn(at + 1, " \t");
        while (line > text && (line[-1] == ' ' || line[-1] == '\t'))
            line--;
        if ((line > text && line[-1] != '\n') || strncmp(rest, word, strlen(word)) != 0)
            continue;
        rest += strlen(word);
        rest += strspn(rest, " \t");
        const size_t length = *rest == '"' ? strcspn(rest + 1, "\"\n") : 0;
        *name = (struct part){rest + 1, length};
        if (length > 0 && rest[1 + length] == '"')
            return at;
    }
    return NULL;
}

bool source_read(const char *text, struct source *source)
{
    *source = (struct source){.code = strdup(text)};
    if (!source->code)
        return false;
    blanked_make(source->code);
    blank_directives(source->code);
    find_functions(source);
    return true;
}

void source_free(struct source *source)
{
    free(source->code);
    free(source->functions);
    *source = (struct source){0};
}

const struct function *source_find(const struct source *source, struct part name)
{
    for (size_t i = 0; i < source->count; i++)
        if (part_same(source->functions[i].name, name))
            return &source->functions[i];
    return NULL;
}

/* The name that ends there, with the arguments of its template. */
static struct part name_before(const char *first, const char *end)
{
    while (end > first && isspace((unsigned char)end[-1]))
        end--;
    const char *at = end;
    int depth = 0;
    while (at > first && (depth > 0 || at[-1] == '>')) {
        at--;
        depth += *at == '>';
        depth -= *at == '<';
    }
    while (at > first && (blanked_is_word(at[-1]) || at[-1] == ':'))
        at--;
    return (struct part){at, (size_t)(end - at)};
}

/* What stands there and is found by a mark; NULL: it is not there. */
static const char *find_mark(struct part in, const char *mark)
{
    return memmem(in.at, in.length, mark, strlen(mark));
}

bool launch_read(struct part text, const char *mark, struct launch *launch)
{
    const struct part rest = behind(text, mark + 3);
    const char *next = find_mark(rest, "<<<"), *end = next ? next : rest.at + rest.length;
    const char *closed = find_mark((struct part){rest.at, (size_t)(end - rest.at)}, ">>>");
    const char *open = closed ? closed + 3 : end;
    while (open < end && isspace((unsigned char)*open))
        open++;
    const char *close = open < end && *open == '(' ? matching(open, end) : end;
    if (close == end)
        return false;
    *launch = (struct launch){.kernel = name_before(text.at, mark),
                              .passed = part_trim((struct part){open + 1, (size_t)(close - open - 1)}),
                              .end = close};
    launch->name = part_trim(part_up_to(launch->kernel, '<'));
    launch->how_count = part_split((struct part){rest.at, (size_t)(closed - rest.at)}, launch->how, LAUNCH_PARTS);
    launch->count = part_split(launch->passed, launch->arguments, PARAMETERS_MAX);
    return launch->kernel.length > 0 && launch->how_count >= 2 && launch->how_count <= LAUNCH_PARTS;
}

bool launch_next(struct part *in, struct launch *launch)
{
    for (const char *mark; (mark = find_mark(*in, "<<<"));) {
        const bool is_read = launch_read(*in, mark, launch) && launch->count <= PARAMETERS_MAX;
        *in = behind(*in, is_read ? launch->end : mark + 3);
        if (is_read)
            return true;
    }
    return false;
}
