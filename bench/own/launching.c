#include "launching.h"

#include "array_use.h"

#include "bench/base/plain_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LOCALS_MAX = 24, DIMENSIONS = 3 };
static const char dimensions[DIMENSIONS] = {'x', 'y', 'z'};

/* What is declared before the launch, each name once. */
struct locals {
    struct call *call;
    struct part names[LOCALS_MAX];
    size_t count;
    bool is_full, is_unknown; /* too many; one that only the function's caller knows */
};

static bool is_known(const struct locals *locals, struct part name)
{
    for (size_t i = 0; i < locals->count; i++)
        if (part_same(locals->names[i], name))
            return true;
    return false;
}

static void add_name(struct locals *locals, struct part name)
{
    struct call *call = locals->call;
    locals->is_full = locals->is_full || locals->count == LOCALS_MAX;
    if (locals->is_full)
        return;
    locals->names[locals->count++] = name;
    text_append(call->names, sizeof call->names, "#undef %.*s\n", (int)name.length, name.at);
}

/* A size under the name that the file has for it. */
static void declare_size(struct locals *locals, struct part name, const struct given *given)
{
    struct call *call = locals->call;
    if (is_known(locals, name))
        return;
    add_name(locals, name);
    text_append(call->text, sizeof call->text, "const int %.*s = (int)%s; ", (int)name.length, name.at, given->text);
    call->has_int_sizes = true;
}

/* "dim3 block(16, 16)", "const int threads = 256, blocks = n / threads": finds the declarator of the name. */
static bool find_declared(struct part statement, struct part name, struct part *type, struct part *declarator)
{
    static const char *const types[] = {"dim3", "bool",   "float", "double",  "short",    "int", "unsigned",
                                        "uint", "size_t", "auto",  "int64_t", "uint32_t", "long"};
    struct part parts[PARAMETERS_MAX], rest = statement, word = {0};
    bool is_type = false;
    while (!is_type && part_next_name(&rest, &word)) {
        for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
            is_type = is_type || part_is(word, types[i]);
        if (!is_type && !part_is(word, "const") && !part_is(word, "constexpr") && !part_is(word, "static"))
            return false;
    }
    for (struct part next = rest; is_type && part_next_name(&next, &word) &&
                                  (part_is(word, "int") || part_is(word, "long") || part_is(word, "const"));)
        rest = next;
    const size_t count = is_type ? part_split(rest, parts, PARAMETERS_MAX) : 0;
    *type = part_trim((struct part){statement.at, (size_t)(rest.at - statement.at)});
    for (size_t i = 0; i < count && count <= PARAMETERS_MAX; i++) {
        struct part declared = parts[i], first;
        *declarator = parts[i];
        if (part_next_name(&declared, &first) && part_same(first, name))
            return true;
    }
    return false;
}

/* Whether the name gets another value there: "n = 5", "n += 5", "n++". */
static bool is_assigned(struct part in, struct part name)
{
    for (struct part found; part_next_name(&in, &found);) {
        const struct part behind = part_trim(in);
        if (!part_same(found, name) || behind.length < 2)
            continue;
        const bool is_changed = strchr("+-*/", behind.at[0]) && (behind.at[1] == '=' || behind.at[1] == behind.at[0]);
        if (is_changed || (behind.at[0] == '=' && behind.at[1] != '='))
            return true;
        const size_t member = behind.at[0] == '.' && behind.length > 3 ? 2 + strspn(behind.at + 2, " ") : 0;
        if (member > 0 && behind.at[member] == '=' && behind.at[member + 1] != '=')
            return true;
    }
    return false;
}

/* Declares the names in an expression as the function does that it comes from, and first those that they are made of.
 * What the file has outside of functions stays. */
static void declare_locals(struct locals *locals, const struct function *function, struct part expression, int depth)
{
    struct part name, type, declarator;
    while (part_next_name(&expression, &name)) {
        struct part rest = function->body;
        bool is_found = is_known(locals, name) || depth == 0;
        while (!is_found && rest.length > 0) {
            struct part statement = {rest.at, strcspn(rest.at, ";{}")};
            if (statement.length >= rest.length)
                break;
            /* dim3 block{16, 16}; */
            if (rest.at[statement.length] == '{' && part_has_word(statement, "dim3"))
                statement.length = strcspn(rest.at, ";");
            rest = (struct part){rest.at + statement.length + 1, rest.length - statement.length - 1};
            statement = part_trim(statement);
            is_found = find_declared(statement, name, &type, &declarator);
            if (!is_found)
                continue;
            if (declarator.length == name.length || is_assigned(rest, name))
                locals->is_unknown = true; /* its value is made somewhere else */
            declare_locals(locals, function,
                           (struct part){declarator.at + name.length, declarator.length - name.length}, depth - 1);
            add_name(locals, name);
            text_append(locals->call->text, sizeof locals->call->text, "%.*s %.*s; ", (int)type.length, type.at,
                        (int)declarator.length, declarator.at);
        }
        for (size_t i = 0; i < function->count && !is_found; i++)
            locals->is_unknown = locals->is_unknown || part_same(function->parameters[i].name, name);
    }
}

static void write_part(struct call *call, const char *before, struct part part)
{
    text_append(call->text, sizeof call->text, "%s%.*s", before, (int)part.length, part.at);
}

/* What is passed as a size is a size of the problem, under the name that it is passed by. */
static void declare_passed(struct locals *locals, const struct launch *launch, const struct function *kernel,
                           const struct given given[])
{
    for (size_t i = 0; i < kernel->count; i++) {
        struct part rest = launch->arguments[i], name;
        if (kernel->parameters[i].kind != PARAMETER_INTEGER || !part_next_name(&rest, &name))
            continue;
        if (part_same(name, launch->arguments[i]))
            declare_size(locals, name, &given[i]);
        else
            locals->is_unknown = true; /* of "n * n" nobody knows what n is */
    }
}

/* "int block_size" of a function that launches the kernel. */
static void declare_block_sizes(struct locals *locals, const struct function *site)
{
    for (size_t i = 0; i < site->count; i++)
        if (parameter_is_block_size(&site->parameters[i]) && !is_known(locals, site->parameters[i].name)) {
            add_name(locals, site->parameters[i].name);
            text_append(locals->call->text, sizeof locals->call->text, "const int %.*s = %s; ",
                        (int)site->parameters[i].name.length, site->parameters[i].name.at, BLOCK_SIZE_GIVEN);
        }
}

/* Whether a size is divided there and what remains is left out: n / 16, not (n + 15) / 16. */
static bool drops_rest(const char *text)
{
    return strchr(text, '/') && !strchr(text, '+') && !strstr(text, "eil") && !strstr(text, "div");
}

static bool find_site(const struct source *source, const struct function *kernel, const struct function **site,
                      struct launch *launch)
{
    for (size_t i = 0; i < source->count; i++) {
        struct part in = source->functions[i].body;
        while (launch_next(&in, launch))
            if (part_same(launch->name, kernel->name) && launch->count == kernel->count) {
                *site = &source->functions[i];
                return true;
            }
    }
    return false;
}

/* What a kernel's threads do along x, y or z. */
struct axis {
    bool has_blocks, has_threads;
    struct part number; /* the variable that has the number of a thread, or of a block */
    struct part block;  /* so many threads, as the kernel has it; empty: as many as blockDim says */
    struct part end;    /* the number is below that */
    bool is_block;      /* it is a block's number */
    char end_text[64];  /* what `end` is part of, where the kernel does not say it */
};

/* "row = blockIdx.y * TILE + threadIdx.y", of a statement that may declare more. */
static struct part declarator_at(struct part body, const char *place)
{
    const char *start = place, *end = place;
    int depth = 0;
    while (start > body.at && !strchr(";{}", start[-1]) && (depth > 0 || start[-1] != ',')) {
        start--;
        depth += *start == ')';
        depth -= *start == '(' && depth > 0;
    }
    while (end < body.at + body.length && !strchr(";{},", *end))
        end++;
    return (struct part){start, (size_t)(end - start)};
}

/* "blockIdx.x" becomes its place in the body; NULL: it is not there. */
static const char *find_builtin(struct part body, const char *name, char dimension)
{
    for (struct part word; part_next_name(&body, &word);)
        if (part_is(word, name) && body.length > 1 && body.at[0] == '.' && body.at[1] == dimension)
            return word.at;
    return NULL;
}

/* "blockIdx.x * TILE", "TILE * blockIdx.x" */
static struct part find_factor(struct part statement, const char *place)
{
    struct part before = part_trim((struct part){statement.at, (size_t)(place - statement.at)}), name, factor = {0};
    struct part behind = part_trim((struct part){
        place + strlen("blockIdx.x"), (size_t)(statement.at + statement.length - place) - strlen("blockIdx.x")});
    if (behind.length > 0 && behind.at[0] == '*') {
        behind = part_trim((struct part){behind.at + 1, behind.length - 1});
        size_t length = 0;
        while (length < behind.length && blanked_is_word(behind.at[length]))
            length++;
        factor = (struct part){behind.at, length};
    } else if (before.length > 0 && before.at[before.length - 1] == '*') {
        before = part_trim((struct part){before.at, before.length - 1});
        const bool is_dimension = before.length > 1 && before.at[before.length - 2] == '.';
        before.length -= is_dimension ? 2 : 0;
        size_t length = 0;
        while (length < before.length && blanked_is_word(before.at[before.length - length - 1]))
            length++;
        factor = (struct part){before.at + before.length - length, length};
    }
    name = factor;
    return part_is(name, "blockDim") ? (struct part){name.at, 0} : name;
}

/* What stands behind "number <" or "number >=", up to the end of the condition. */
static struct part find_end(struct part body, struct part number)
{
    struct part name, rest = body;
    while (part_next_name(&rest, &name)) {
        const struct part behind = part_trim(rest);
        const bool is_below = behind.length > 2 && behind.at[0] == '<' && behind.at[1] != '<' && behind.at[1] != '=';
        const bool is_from = behind.length > 2 && behind.at[0] == '>' && behind.at[1] == '=';
        if (!part_same(name, number) || (!is_below && !is_from))
            continue;
        const char *at = behind.at + 1 + is_from;
        int depth = 0;
        size_t length = 0;
        for (; at + length < body.at + body.length; length++) {
            depth += at[length] == '(';
            depth -= at[length] == ')';
            if (depth < 0 || (depth == 0 && strchr(";?&|,", at[length])))
                break;
        }
        return part_trim((struct part){at, length});
    }
    return (struct part){0};
}

static struct axis read_axis(struct part body, char dimension)
{
    const char *place = find_builtin(body, "blockIdx", dimension);
    struct axis axis = {.has_blocks = place, .has_threads = find_builtin(body, "threadIdx", dimension)};
    if (!place)
        return axis;
    const struct part statement = declarator_at(body, place), assigned = part_up_to(statement, '=');
    struct part rest = assigned;
    while (assigned.length < statement.length && part_next_name(&rest, &axis.number)) {
    }
    const bool has_factor = memchr(statement.at, '*', statement.length);
    axis.block = has_factor ? find_factor(statement, place) : (struct part){0};
    axis.is_block = !has_factor;
    axis.end = axis.number.length > 0 ? find_end(body, axis.number) : (struct part){0};
    return axis;
}

/* Whether the expression has names of the kernel's sizes and no other but macros and constants of the file. */
static bool is_of_sizes(const struct function *kernel, struct part expression)
{
    bool any = false;
    for (struct part name; part_next_name(&expression, &name);)
        for (size_t i = 0; i < kernel->count; i++)
            any =
                any || (kernel->parameters[i].kind == PARAMETER_INTEGER && part_same(kernel->parameters[i].name, name));
    return any;
}

/* "[TILE][TILE + 1]" of the first shared array: a block is as large as a tile. Empty: there is none. */
static struct part tile_of(struct part body)
{
    for (struct part name; part_next_name(&body, &name);) {
        if (!part_is(name, "__shared__"))
            continue;
        const struct part declared = part_up_to(body, ';');
        const char *open = memchr(declared.at, '[', declared.length);
        if (!open)
            continue;
        const struct part rest = {open, (size_t)(declared.at + declared.length - open)},
                          inside = part_in_brackets(rest);
        const bool is_square = inside.length + 2 < rest.length && rest.at[inside.length + 2] == '[';
        if (is_square)
            return inside;
    }
    return (struct part){0};
}

/* A kernel without a guard: the number of a row of the output goes to its first extent, that of a column to its last.
 */
static void end_by_use(const struct op *op, const struct function *kernel, const struct given given[],
                       struct axis *axis)
{
    for (size_t i = 0; i < kernel->count && axis->number.length > 0; i++) {
        const struct op_arg *arg = &op->args[given[i].arg];
        if (kernel->parameters[i].kind != PARAMETER_POINTER || !arg->is_output)
            continue;
        if (op_rank(op, arg->extents) == 1 && array_index_use(kernel, i, axis->number) == INDEX_PLAIN &&
            op_find_name(op->sizes, arg->extents, strlen(arg->extents)) >= 0)
            snprintf(axis->end_text, sizeof axis->end_text, "rungbench_p->%s", arg->extents);
        if (op_rank(op, arg->extents) != 2)
            continue;
        const enum index_use use = array_index_use(kernel, i, axis->number);
        const char *comma = strchr(arg->extents, ',');
        if (use == INDEX_TIMES)
            snprintf(axis->end_text, sizeof axis->end_text, "rungbench_p->%.*s", (int)(comma - arg->extents),
                     arg->extents);
        else if (use == INDEX_PLAIN)
            snprintf(axis->end_text, sizeof axis->end_text, "rungbench_p->%s", comma + 1);
    }
}

/* Threads in one row that count through a matrix: "i / n" and "i % n" are its row and column. */
static void end_by_division(const struct op *op, const struct function *kernel, struct axis *axis)
{
    struct part rest = kernel->body, name;
    while (part_next_name(&rest, &name)) {
        const struct part behind = part_trim(rest);
        if (part_same(name, axis->number) && behind.length > 0 && strchr("/%", behind.at[0])) {
            snprintf(axis->end_text, sizeof axis->end_text, "%s", "");
            const char *extents = op->args[op_output(op)].extents;
            const char *comma = strchr(extents, ',');
            if (comma && op_rank(op, extents) == 2)
                snprintf(axis->end_text, sizeof axis->end_text, "rungbench_p->%.*s * rungbench_p->%s",
                         (int)(comma - extents), extents, comma + 1);
            return;
        }
    }
}

/* False: it is not known how far all axes go. */
static bool read_axes(const struct op *op, const struct function *kernel, const struct given given[],
                      struct axis axes[DIMENSIONS], int *used)
{
    *used = 0;
    for (int i = 0; i < DIMENSIONS; i++) {
        axes[i] = read_axis(kernel->body, dimensions[i]);
        *used = axes[i].has_blocks || axes[i].has_threads ? i + 1 : *used;
    }
    for (int i = 0; i < *used; i++) {
        struct axis *axis = &axes[i];
        if (*used == 1 && axis->number.length > 0)
            end_by_division(op, kernel, axis);
        if (axis->has_blocks && axis->end_text[0] == '\0' && !is_of_sizes(kernel, axis->end))
            end_by_use(op, kernel, given, axis);
        if (axis->end_text[0] != '\0')
            axis->end = (struct part){axis->end_text, strlen(axis->end_text)};
        else if (!axis->has_blocks || !is_of_sizes(kernel, axis->end))
            return false;
    }
    return *used > 0;
}

static void write_block(const struct function *kernel, const struct axis axes[], int used, struct call *call)
{
    const struct part tile = tile_of(kernel->body);
    text_append(call->text, sizeof call->text, "const dim3 rungbench_block(");
    for (int i = 0; i < used; i++) {
        const struct part block = axes[i].block.length > 0 ? axes[i].block : used == 2 ? tile : (struct part){0};
        text_append(call->text, sizeof call->text, "%s", i > 0 ? ", " : "");
        if (axes[i].is_block && !axes[i].has_threads)
            text_append(call->text, sizeof call->text, "1");
        else if (block.length > 0)
            write_part(call, "", block);
        else
            text_append(call->text, sizeof call->text, "%d", used == 1 ? 256 : 16);
    }
    text_append(call->text, sizeof call->text, "); ");
}

/* So many blocks that all of the numbers are there. */
static void write_grid(struct locals *locals, const struct function *kernel, const struct given given[],
                       const struct axis axes[], int used)
{
    struct call *call = locals->call;
    for (size_t i = 0; i < kernel->count; i++)
        if (kernel->parameters[i].kind == PARAMETER_INTEGER)
            declare_size(locals, kernel->parameters[i].name, &given[i]);
    text_append(call->text, sizeof call->text, "const dim3 rungbench_grid(");
    for (int i = 0; i < used; i++) {
        write_part(call, i > 0 ? ", ((" : "((", axes[i].end);
        if (axes[i].is_block)
            text_append(call->text, sizeof call->text, "))");
        else
            text_append(call->text, sizeof call->text, ") + rungbench_block.%c - 1) / rungbench_block.%c",
                        dimensions[i], dimensions[i]);
    }
    text_append(call->text, sizeof call->text, "); ");
}

static void write_head(struct call *call, struct part kernel, const char *how, struct part shared_bytes)
{
    write_part(call, "", kernel);
    text_append(call->text, sizeof call->text, "<<<%s", how);
    if (shared_bytes.length > 0)
        write_part(call, ", ", shared_bytes);
    text_append(call->text, sizeof call->text, ">>>(");
}

/* As the function launches it. Where its grid leaves threads out, or is made of what only the file knows, by what the
 * kernel's guards say, with its blocks. */
static bool write_site(const struct function *site, const struct launch *launch, const struct op *op,
                       const struct function *kernel, const struct given given[], struct call *call)
{
    struct locals locals = {.call = call};
    struct axis axes[DIMENSIONS];
    int used;
    const struct part none = {0}, shared_bytes = launch->how_count > 2 ? launch->how[2] : none;
    if (part_has_word(site->body, "cudaMemset") && part_has_word(kernel->body, "atomicAdd"))
        return false; /* more than the launch belongs to the call */
    declare_block_sizes(&locals, site);
    declare_locals(&locals, site, launch->how[1], 4);
    if (launch->how_count > 2)
        declare_locals(&locals, site, launch->how[2], 4);
    declare_locals(&locals, site, launch->kernel, 4);
    declare_passed(&locals, launch, kernel, given);
    const bool is_block_unknown = locals.is_unknown;
    const size_t start = strlen(call->text);
    declare_locals(&locals, site, launch->how[0], 4);
    write_part(call, "const dim3 rungbench_grid(", launch->how[0]);
    text_append(call->text, sizeof call->text, "); ");
    if ((drops_rest(call->text + start) || locals.is_unknown) && read_axes(op, kernel, given, axes, &used)) {
        call->text[start] = '\0';
        locals.is_unknown = false;
        write_part(call, "const dim3 rungbench_block(", launch->how[1]);
        text_append(call->text, sizeof call->text, "); ");
        write_grid(&locals, kernel, given, axes, used);
    } else {
        write_part(call, "const dim3 rungbench_block(", launch->how[1]);
        text_append(call->text, sizeof call->text, "); ");
    }
    write_head(call, launch->kernel, "rungbench_grid, rungbench_block", shared_bytes);
    return !locals.is_full && !locals.is_unknown && !is_block_unknown;
}

bool launching_write(const struct source *source, const struct op *op, const struct function *kernel,
                     const struct given given[], struct call *call)
{
    struct locals locals = {.call = call};
    struct axis axes[DIMENSIONS];
    const struct function *site;
    struct launch launch;
    int used;
    call->is_launch = true;
    if (find_site(source, kernel, &site, &launch))
        return write_site(site, &launch, op, kernel, given, call);
    const bool has_dynamic = part_has_word(kernel->body, "__shared__") && part_has_word(kernel->body, "extern");
    if (kernel->is_template || has_dynamic || !read_axes(op, kernel, given, axes, &used))
        return false;
    write_block(kernel, axes, used, call);
    write_grid(&locals, kernel, given, axes, used);
    write_head(call, kernel->name, "rungbench_grid, rungbench_block", (struct part){0});
    return !locals.is_full && !locals.is_unknown;
}
