#include "source.h"

#include "bench/base/memory.h"
#include "bench/table/op.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes spaces of each match's first group; lines stay. */
static void blank(char *code, const char *pattern)
{
    struct part found[2];
    for (struct part rest = part_of(code); pattern_find(pattern, rest, found, 2);
         rest = part_from(rest, found[0].at + found[0].length))
        for (size_t i = 0; i < found[1].length; i++) {
            char *at = code + (found[1].at - code) + i;
            *at = *at == '\n' ? '\n' : ' ';
        }
}

/* Takes the marks of a launch together: << < n, m >> > (x) */
static void join_marks(char *source, const char *pattern)
{
    struct part rest = part_of(source), found[2];
    for (; pattern_find(pattern, rest, found, 2); rest = part_from(rest, found[1].at)) {
        char *third = source + (found[1].at - source);
        third[found[1].length - 1] = ' ';
        third[0] = found[0].at[0];
    }
}

void blanked_make(char *source)
{
    blank(source, "[0-9A-Fa-f]'" /* a quote between digits keeps them apart: 1'000 */
                  "|(R\"\\((?s:.*?)(?:\\)\"|\\z)|//(?:\\\\\n|[^\n])*|/\\*(?s:.*?)(?:\\*/|\\z)"
                  "|\"(?:\\\\(?s:.)|[^\"\n])*\"?|'(?:\\\\(?s:.)|[^'\n])*'?)");
    join_marks(source, "<<([ \\t]+<)");
    join_marks(source, ">>([ \\t]+>)\\s*\\(");
}

struct part part_of(const char *text)
{
    return (struct part){text, strlen(text)};
}

struct part part_from(struct part part, const char *at)
{
    return (struct part){at, (size_t)(part.at + part.length - at)};
}

struct part part_before(struct part part, const char *at)
{
    return (struct part){part.at, (size_t)(at - part.at)};
}

struct part part_trim(struct part part)
{
    for (; part.length > 0 && isspace((unsigned char)part.at[0]); part.length--)
        part.at++;
    while (part.length > 0 && isspace((unsigned char)part.at[part.length - 1]))
        part.length--;
    return part;
}

bool part_same(struct part one, struct part other)
{
    return one.length == other.length && strncmp(one.at, other.at, one.length) == 0;
}

bool part_is(struct part part, const char *text)
{
    return part_same(part, part_of(text));
}

size_t part_among(const struct part *parts, size_t count, struct part part)
{
    for (size_t i = 0; i < count; i++)
        if (part_same(parts[i], part))
            return i;
    return SIZE_MAX;
}

bool part_next_name(struct part *in, struct part *name)
{
    const bool is_there = pattern_find("\\b[A-Za-z_]\\w*", *in, name, 1);
    *in = part_from(*in, is_there ? name->at + name->length : in->at + in->length);
    return is_there;
}

bool part_next_before(struct part *in, struct part name, const char *pattern, struct part found[], size_t count)
{
    for (struct part next; part_next_name(in, &next);)
        if (part_same(next, name) && pattern_find(pattern, *in, found, count))
            return true;
    return false;
}

void part_plain(struct part name, char plain[NAME_BYTES])
{
    size_t length = 0;
    for (size_t i = 0; i < name.length && length < NAME_BYTES - 1; i++)
        if (name.at[i] != '_')
            plain[length++] = (char)tolower((unsigned char)name.at[i]);
    plain[length] = '\0';
}

void array_plain(struct part name, char plain[NAME_BYTES])
{
    struct part found[2];
    if (pattern_find("^(.+?)(?:_mat)?(?:_matrix)?(?:_ptr)?(?:_h)?(?:_gpu)?(?:_d)?(?:_dev)?(?:_device)?$", name, found,
                     2))
        name = found[1];
    if (pattern_find("^(?:device)?(?:dev)?(?:d_)?(?:gpu)?(?:g_)?(?:h_)?(?:input)?(?:in_)?(?:matrix)?(?:mat)?(.+)$",
                     name, found, 2))
        name = found[1];
    part_plain(name, plain);
}

int part_find(const char *words, struct part word)
{
    return op_find_name(words, word.at, word.length);
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
    return at ? part_before(part, at) : part;
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

/* "const float *__restrict__ a", "int n = 1", "float a[]" */
static struct parameter read_parameter(struct part text)
{
    static const char integers[] = "int unsigned long short size_t uint int32_t uint32_t int64_t uint64_t ptrdiff_t "
                                   "ssize_t ulong",
                      skipped[] = "const __restrict__ __restrict restrict unsigned signed struct std torch at long "
                                  "volatile __grid_constant__";
    struct parameter parameter = {.text = text};
    struct part declared = part_up_to(text, '='), rest = part_up_to(declared, '['), name;
    const bool is_pointer = rest.length < declared.length || memchr(rest.at, '*', rest.length);
    bool is_integer = false;
    while (part_next_name(&rest, &name)) {
        parameter.is_const = parameter.is_const || part_is(name, "const");
        is_integer = is_integer || (part_find(integers, name) >= 0 && parameter.type.length == 0);
        if (parameter.name.length > 0 && parameter.type.length == 0 && part_find(skipped, parameter.name) < 0)
            parameter.type = parameter.name;
        parameter.name = name;
    }
    (is_pointer ? array_plain : part_plain)(parameter.name, parameter.plain);
    parameter.kind = is_pointer                                       ? PARAMETER_POINTER
                     : part_find("float double", parameter.type) >= 0 ? PARAMETER_REAL
                     : part_is(parameter.type, "Tensor")              ? PARAMETER_TENSOR
                     : part_is(parameter.type, "cudaStream_t")        ? PARAMETER_STREAM
                     : is_integer                                     ? PARAMETER_INTEGER
                                                                      : PARAMETER_OTHER;
    return parameter;
}

/* The function whose body follows, if it is one. False: it is none, or has too many parameters. */
static bool read_function(struct part head, struct function *function)
{
    static const char pattern[] = "^\\s*(\\S(?s:.*))\\b([A-Za-z_]\\w*)\\s*(" IN_PARENTHESES ")[^()]*$";
    struct part parts[PARAMETERS_MAX], found[4];
    if (!pattern_find(pattern, head, found, 4))
        return false;
    const size_t count = part_split(part_in_brackets(found[3]), parts, PARAMETERS_MAX);
    if (count > PARAMETERS_MAX)
        return false;
    *function = (struct function){.head = part_trim(found[1]), .name = found[2], .count = count};
    for (size_t i = 0; i < count; i++)
        function->parameters[i] = read_parameter(parts[i]);
    function->is_kernel = part_has_word(function->head, "__global__");
    function->is_template = part_has_word(function->head, "template");
    if (pattern_find("^\\s*template\\s*<\\s*(?:typename|class)\\s+(\\w+)\\s*>", head, found, 2))
        for (size_t i = 0; i < count; i++)
            function->is_of_type = function->is_of_type || part_same(function->parameters[i].type, found[1]);
    return true;
}

/* Whether what the brace behind `head` opens has definitions of functions in it. */
static bool is_scope(struct part head)
{
    return part_has_word(head, "namespace") || part_is(part_trim(head), "extern");
}

/* "namespace a" */
static void add_namespace(struct source *source, struct part head)
{
    struct part found[2];
    if (source->namespace_count < NAMESPACES_MAX &&
        pattern_find("\\bnamespace\\b(?s:.*?)\\b([A-Za-z_]\\w*)\\W*$", head, found, 2))
        source->namespaces[source->namespace_count++] = found[1];
}

/* Of more nobody would choose one. */
enum { FUNCTIONS_MAX = 256 };

/* Definitions outside of bodies. */
static void find_functions(struct source *source)
{
    struct part rest = part_of(source->code), found[3];
    while (source->count < FUNCTIONS_MAX && pattern_find("^([^;{}]*)([;{}])", rest, found, 3)) {
        const struct part head = found[1], body = part_from(rest, found[2].at);
        struct function function;
        rest = part_from(body, body.at + 1);
        if (body.at[0] != '{')
            continue;
        const bool is_function = read_function(head, &function);
        if (!is_function && is_scope(head)) {
            add_namespace(source, head);
            continue;
        }
        const char *end = body.at + body.length, *last = matching(body.at, end);
        rest = part_from(body, last + (last < end));
        if (is_function) {
            function.body = part_before(body, rest.at);
            source->functions = memory_grow(source->functions, source->count, sizeof function);
            source->functions[source->count++] = function;
        }
    }
}

const char *include_next(const char *text, struct part *name)
{
    struct part found[3];
    if (!pattern_find("(?m)^[ \\t]*(#)[ \\t]*include[ \\t]*\"([^\"\\n]+)\"", part_of(text), found, 3))
        return NULL;
    *name = found[2];
    return found[1].at;
}

struct source source_read(const char *text)
{
    struct source source = {.code = memory_have(strdup(text))};
    blanked_make(source.code);
    blank(source.code, "(?m)^([ \\t\\r]*#(?:\\\\\n|[^\n])*)");
    find_functions(&source);
    return source;
}

void source_free(struct source *source)
{
    free(source->code);
    free(source->functions);
    *source = (struct source){0};
}

size_t function_parameter(const struct function *function, struct part name)
{
    for (size_t i = 0; i < function->count; i++)
        if (part_same(function->parameters[i].name, name))
            return i;
    return SIZE_MAX;
}

const struct function *source_find(const struct source *source, struct part name)
{
    for (size_t i = 0; i < source->count; i++)
        if (part_same(source->functions[i].name, name))
            return &source->functions[i];
    return NULL;
}

bool launch_read(struct part text, const char *mark, struct launch *launch)
{
    struct part rest = part_from(text, mark + 3), next, how[3], kernel[2];
    rest = pattern_find("<<<", rest, &next, 1) ? part_before(rest, next.at) : rest;
    if (!pattern_find("^((?s:.*?))>>>\\s*(\\()", rest, how, 3) ||
        !pattern_find("((?:[\\w:.]|##|->)+(?:<(?:[^<>()]|<[^<>]*>|\\([^()]*\\))*>)?)[\\s\\\\]*$",
                      part_before(text, mark), kernel, 2))
        return false;
    const struct part passed = part_in_brackets(part_from(rest, how[2].at));
    *launch = (struct launch){.kernel = kernel[1], .passed = passed, .end = passed.at + passed.length};
    launch->name = part_trim(part_up_to(launch->kernel, '<'));
    launch->how_count = part_split(how[1], launch->how, LAUNCH_PARTS);
    launch->count = part_split(part_trim(passed), launch->arguments, PARAMETERS_MAX);
    return launch->end < rest.at + rest.length && launch->how_count >= 2 && launch->how_count <= LAUNCH_PARTS;
}

bool launch_next(struct part *in, struct launch *launch)
{
    for (struct part mark; pattern_find("<<<", *in, &mark, 1);) {
        const bool is_read = launch_read(*in, mark.at, launch) && launch->count <= PARAMETERS_MAX;
        *in = part_from(*in, is_read ? launch->end : mark.at + 3);
        if (is_read)
            return true;
    }
    return false;
}
