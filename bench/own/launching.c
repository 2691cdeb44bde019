#include "match.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DIMENSIONS = 3 };
static const char dimensions[DIMENSIONS] = {'x', 'y', 'z'};

/* What a kernel's threads do along x, y or z. */
struct axis {
    bool has_blocks, has_threads;
    struct part number; /* the variable that has the number of a thread, or of a block */
    struct part block;  /* so many threads, as the kernel has it; empty: as many as blockDim says */
    struct part end;    /* the number is below that */
    bool is_block;      /* it is a block's number */
    char end_text[64];  /* what `end` is part of, where the kernel does not say it */
};

struct launching {
    const struct op *op;
    const struct function *kernel;
    const struct given *given; /* for the kernel's parameters */
    struct call *call;
    bool is_unknown; /* something before the launch: only the function's caller knows it */
    struct axis axes[DIMENSIONS];
    int used; /* so many axes */
};

/* A number under the name that the file has for it. */
static void declare_number(struct launching *self, struct part name, const char *cast, const char *value)
{
    if (call_has_name(self->call, name))
        return;
    call_add_name(self->call, name);
    call_add(self->call, "const int %.*s = %s%s; ", PART(name), cast, value);
}

static void declare_size(struct launching *self, struct part name, size_t parameter)
{
    declare_number(self, name, "(int)", self->given[parameter].text);
    self->call->has_int_sizes = true;
}

/* "dim3 block(16, 16)", "const int threads = 256, blocks = n / threads": finds the declarator of the name. */
static bool find_declared(struct part statement, struct part name, struct part *type, struct part *declarator)
{
    struct part parts[PARAMETERS_MAX], found[3], first;
    if (!pattern_find("^((?:\\W*\\b(?:const|constexpr|static)\\b)*\\W*\\b(?:dim3|bool|float|double|short|int|unsigned|"
                      "uint|size_t|auto|int64_t|uint32_t|long)\\b(?:\\W+(?:int|long|const)\\b)*)((?s:.*))$",
                      statement, found, 3))
        return false;
    *type = found[1];
    const size_t count = part_split(found[2], parts, PARAMETERS_MAX);
    for (size_t i = 0; i < count && count <= PARAMETERS_MAX; i++) {
        struct part declared = *declarator = parts[i];
        if (part_next_name(&declared, &first) && part_same(first, name))
            return true;
    }
    return false;
}

/* Whether the name gets another value there: "n = 5", "n += 5", "n++", "n.x = 5". */
static bool is_assigned(struct part in, struct part name)
{
    struct part found;
    return part_next_before(&in, name, "^\\s*(?:[-+*/]=|\\+\\+|--|\\*\\*|//|(?:\\.. *)?=[^=])", &found, 1);
}

static bool is_parameter(const struct function *function, struct part name)
{
    return function_parameter(function, name) != SIZE_MAX;
}

/* Declares the names in an expression as the function does that it comes from, and first those that they are made of.
 * What the file has outside of functions stays. */
static void declare_locals(struct launching *self, const struct function *function, struct part expression, int depth)
{
    static const char statement[] = "^([^;{}]*\\bdim3\\b[^;{}]*\\{[^;]*|[^;{}]*)[;{}]"; /* dim3 block{16, 16}; */
    struct part name, type, declarator, found[2];
    while (part_next_name(&expression, &name)) {
        struct part rest = function->body;
        bool is_found = call_has_name(self->call, name) || depth == 0;
        while (!is_found && pattern_find(statement, rest, found, 2)) {
            rest = part_from(rest, found[0].at + found[0].length);
            is_found = find_declared(part_trim(found[1]), name, &type, &declarator);
            if (!is_found)
                continue;
            if (declarator.length == name.length || is_assigned(rest, name))
                self->is_unknown = true; /* its value is made somewhere else */
            declare_locals(self, function, part_from(declarator, declarator.at + name.length), depth - 1);
            call_add_name(self->call, name);
            call_add(self->call, "%.*s %.*s; ", PART(type), PART(declarator));
        }
        self->is_unknown = self->is_unknown || (!is_found && is_parameter(function, name));
    }
}

/* What is passed as a size is a size of the problem, under the name that it is passed by. */
static void declare_passed(struct launching *self, const struct launch *launch)
{
    for (size_t i = 0; i < self->kernel->count; i++) {
        struct part rest = launch->arguments[i], name;
        if (self->kernel->parameters[i].kind != PARAMETER_INTEGER || !part_next_name(&rest, &name))
            continue;
        if (part_same(name, launch->arguments[i]))
            declare_size(self, name, i);
        else
            self->is_unknown = true; /* of "n * n" nobody knows what n is */
    }
}

/* Whether a size is divided there and what remains is left out: n / 16, not (n + 15) / 16. */
static bool drops_rest(const char *text)
{
    return strchr(text, '/') && !strchr(text, '+') && !strstr(text, "eil") && !strstr(text, "div");
}

static const struct function *find_site(const struct source *source, const struct function *kernel,
                                        struct launch *launch)
{
    for (size_t i = 0; i < source->count; i++) {
        struct part in = source->functions[i].body;
        while (launch_next(&in, launch))
            if (part_same(launch->name, kernel->name) && launch->count == kernel->count)
                return &source->functions[i];
    }
    return NULL;
}

/* What stands behind "number <" or "number >=", up to the end of the condition. */
static struct part find_end(struct part body, struct part number)
{
    static const char less[] = "^\\s*(?:<|>=)((?:[^<=;?&|,()]|" IN_PARENTHESES ")(?:[^;?&|,()]|" IN_PARENTHESES ")*)";
    struct part found[2] = {{0}};
    (void)part_next_before(&body, number, less, found, 2);
    return part_trim(found[1]);
}

/* The same for each axis. */
#define AXES(before, behind)                                       \
    {                                                              \
        before ".x" behind, before ".y" behind, before ".z" behind \
    }

static struct axis read_axis(struct part body, int dimension)
{
    static const char *const threads[] = AXES("\\bthreadIdx", ""),
                             *const blocks[] = AXES("\\bblockIdx", ""),
                             /* "row = blockIdx.y * TILE + threadIdx.y" */
                                 *const numbers[] = AXES("\\b(\\w+)\\s*[-+]?=([^;={}]*\\bblockIdx", "[^;{},]*)"),
                             /* "blockIdx.x * TILE", "TILE * blockIdx.x" */
                                     *const factors[] =
                                         AXES("blockIdx", "\\s*\\*\\s*(\\w+)|(\\w+)(?:\\..)?\\s*\\*\\s*blockIdx");
    struct part found[3];
    struct axis axis = {.has_threads = pattern_find(threads[dimension], body, found, 1),
                        .has_blocks = pattern_find(blocks[dimension], body, found, 1)};
    if (!axis.has_blocks || !pattern_find(numbers[dimension], body, found, 3))
        return axis;
    axis.number = found[1];
    axis.end = find_end(body, axis.number);
    axis.is_block = !memchr(found[2].at, '*', found[2].length);
    if (!axis.is_block && pattern_find(factors[dimension], found[2], found, 3))
        axis.block = found[1].length > 0 ? found[1] : found[2];
    if (part_is(axis.block, "blockDim"))
        axis.block.length = 0;
    return axis;
}

/* Whether the expression has names of the kernel's sizes and no other but macros and constants of the file. */
static bool is_of_sizes(const struct function *kernel, struct part expression)
{
    for (struct part name; part_next_name(&expression, &name);) {
        const size_t i = function_parameter(kernel, name);
        if (i != SIZE_MAX && kernel->parameters[i].kind == PARAMETER_INTEGER)
            return true;
    }
    return false;
}

/* "[TILE][TILE + 1]" of the first shared array: a block is as large as a tile. Empty: there is none. */
static struct part tile_of(struct part body)
{
    struct part found[2] = {{0}};
    (void)pattern_find("\\b__shared__\\b[^;[]*\\[([^][;]*)\\]\\[", body, found, 2);
    return found[1];
}

/* A kernel without a guard: the number of a row of the output goes to its first extent, that of a column to its last.
 */
static void end_by_use(const struct launching *self, struct axis *axis)
{
    for (size_t i = 0; i < self->kernel->count && axis->number.length > 0; i++) {
        const struct op_arg *arg = &self->op->args[self->given[i].arg];
        if (self->kernel->parameters[i].kind != PARAMETER_POINTER || !arg->is_output)
            continue;
        struct part extents[2];
        const size_t rank = part_split(part_of(arg->extents), extents, 2);
        const enum index_use use = array_index_use(self->kernel, i, axis->number);
        const bool is_size = rank == 2 || (rank == 1 && part_find(self->op->sizes, extents[0]) >= 0);
        if ((use == INDEX_PLAIN && is_size) || (use == INDEX_TIMES && rank == 2))
            snprintf(axis->end_text, sizeof axis->end_text, "rungbench_p->%.*s",
                     PART(extents[use == INDEX_TIMES ? 0 : rank - 1]));
    }
}

/* Threads in one row that count through a matrix: "i / n" and "i % n" are its row and column. */
static void end_by_division(const struct launching *self, struct axis *axis)
{
    struct part extents[2], rest = self->kernel->body, found;
    if (axis->number.length > 0 && part_split(part_of(self->op->args[op_output(self->op)].extents), extents, 2) == 2 &&
        part_next_before(&rest, axis->number, "^\\s*[/%]", &found, 1))
        snprintf(axis->end_text, sizeof axis->end_text, "rungbench_p->%.*s * rungbench_p->%.*s", PART(extents[0]),
                 PART(extents[1]));
}

/* "A += blockIdx.y * BM * K": the number is of a tile, and how many of those there are, nobody says. */
static bool counts_tiles(const struct function *kernel, const struct axis *axis)
{
    static const char times[] = "^\\s*\\)?\\s*\\*\\s*([A-Za-z_]\\w*)", before_it[] = "\\b([A-Za-z_]\\w*)\\s*\\*\\s*$";
    struct part rest = kernel->body, first[2], second[2];
    while (axis->is_block && part_next_before(&rest, axis->number, times, first, 2)) {
        const struct part before = part_before(kernel->body, rest.at - axis->number.length),
                          behind = part_from(rest, first[1].at + first[1].length);
        if ((pattern_find(times, behind, second, 2) || pattern_find(before_it, before, second, 2)) &&
            is_of_sizes(kernel, first[1]) != is_of_sizes(kernel, second[1]) && !part_is(second[1], "sizeof"))
            return true;
    }
    return false;
}

/* False: it is not known how far all axes go. */
static bool read_axes(struct launching *self)
{
    for (int i = 0; i < DIMENSIONS; i++) {
        self->axes[i] = read_axis(self->kernel->body, i);
        if (self->axes[i].has_blocks || self->axes[i].has_threads)
            self->used = i + 1;
    }
    for (int i = 0; i < self->used; i++) {
        struct axis *axis = &self->axes[i];
        const bool is_said = is_of_sizes(self->kernel, axis->end);
        if (counts_tiles(self->kernel, axis))
            return false;
        if (self->used == 1)
            end_by_division(self, axis);
        if (axis->has_blocks && axis->end_text[0] == '\0' && !is_said)
            end_by_use(self, axis);
        if (axis->end_text[0] != '\0')
            axis->end = part_of(axis->end_text);
        else if (!axis->has_blocks || !is_said)
            return false;
    }
    return self->used > 0;
}

static void write_block(const struct launching *self)
{
    const struct part tile = tile_of(self->kernel->body);
    call_add(self->call, "const dim3 rungbench_block(");
    for (int i = 0; i < self->used; i++) {
        const struct axis *axis = &self->axes[i];
        const struct part block = axis->block.length > 0 || self->used != 2 ? axis->block : tile;
        call_add(self->call, "%s", i > 0 ? ", " : "");
        if (axis->is_block && !axis->has_threads)
            call_add(self->call, "1");
        else if (block.length > 0)
            call_add(self->call, "%.*s", PART(block));
        else
            call_add(self->call, "%d", self->used == 1 ? 256 : 16);
    }
    call_add(self->call, "); ");
}

/* So many blocks that all of the numbers are there. */
static void write_grid(struct launching *self)
{
    for (size_t i = 0; i < self->kernel->count; i++)
        if (self->kernel->parameters[i].kind == PARAMETER_INTEGER)
            declare_size(self, self->kernel->parameters[i].name, i);
    call_add(self->call, "const dim3 rungbench_grid(");
    for (int i = 0; i < self->used; i++) {
        const struct part end = self->axes[i].end;
        call_add(self->call, "%s((%.*s)", i > 0 ? ", " : "", PART(end));
        if (self->axes[i].is_block)
            call_add(self->call, ")");
        else
            call_add(self->call, " + rungbench_block.%c - 1) / rungbench_block.%c", dimensions[i], dimensions[i]);
    }
    call_add(self->call, "); ");
}

static bool is_allocated(const struct function *function, struct part name)
{
    struct part found[2];
    for (struct part rest = function->body; pattern_find("cudaMalloc\\w*\\s*\\([^;&]*&\\s*(\\w+)", rest, found, 2);
         rest = part_from(rest, found[1].at + found[1].length))
        if (part_same(found[1], name))
            return true;
    return false;
}

/* Whether a function passes on what it was given, and has the kernel write to memory of its own: sums of blocks, which
 * it adds. */
static bool is_intermediate(const struct launching *self, const struct function *site, const struct launch *launch)
{
    bool has_given = false, writes_own = false;
    for (size_t i = 0; i < self->kernel->count; i++) {
        if (self->kernel->parameters[i].kind != PARAMETER_POINTER)
            continue;
        const bool is_output = self->op->args[self->given[i].arg].is_output;
        for (struct part rest = launch->arguments[i], name; part_next_name(&rest, &name);) {
            has_given = has_given || is_parameter(site, name);
            writes_own = writes_own || (is_output && is_allocated(site, name));
        }
    }
    return has_given && writes_own;
}

/* As the function launches it. Where its grid leaves threads out, or is made of what only the file knows, by what the
 * kernel's guards say, with its blocks. */
static bool write_site(struct launching *self, const struct function *site, const struct launch *launch)
{
    const struct part grid = launch->how[0], block = launch->how[1],
                      shared_bytes = launch->how_count > 2 ? launch->how[2] : part_of("");
    if ((part_has_word(site->body, "cudaMemset") && part_has_word(self->kernel->body, "atomicAdd")) ||
        is_intermediate(self, site, launch))
        return false; /* more than the launch belongs to the call */
    for (size_t i = 0; i < site->count; i++) {
        const char *number = match_number(self->op, &site->parameters[i]);
        if (number)
            declare_number(self, site->parameters[i].name, "", number);
    }
    declare_locals(self, site, block, 4);
    declare_locals(self, site, shared_bytes, 4);
    declare_locals(self, site, launch->kernel, 4);
    declare_passed(self, launch);
    const bool is_block_unknown = self->is_unknown;
    const size_t start = strlen(self->call->text);
    declare_locals(self, site, grid, 4);
    call_add(self->call, "const dim3 rungbench_grid(%.*s); ", PART(grid));
    const bool is_by_guards = (drops_rest(self->call->text + start) || self->is_unknown) && read_axes(self);
    if (is_by_guards)
        self->call->text[start] = '\0';
    call_add(self->call, "const dim3 rungbench_block(%.*s); ", PART(block));
    if (is_by_guards) {
        self->is_unknown = false;
        write_grid(self);
    }
    call_add(self->call, "%.*s<<<rungbench_grid, rungbench_block", PART(launch->kernel));
    if (shared_bytes.length > 0)
        call_add(self->call, ", %.*s", PART(shared_bytes));
    call_add(self->call, ">>>(");
    return !self->is_unknown && !is_block_unknown;
}

bool launching_write(const struct source *source, const struct op *op, const struct function *kernel,
                     const struct given given[], struct call *call)
{
    struct launching self = {.op = op, .kernel = kernel, .given = given, .call = call};
    struct launch launch;
    const struct function *site = find_site(source, kernel, &launch);
    if (site)
        return write_site(&self, site, &launch);
    const bool has_dynamic = part_has_word(kernel->body, "__shared__") && part_has_word(kernel->body, "extern");
    if ((kernel->is_template && !kernel->is_of_type) || has_dynamic || !read_axes(&self))
        return false;
    write_block(&self);
    write_grid(&self);
    call_add(call, "%.*s", PART(kernel->name));
    if (kernel->is_of_type)
        call_add(call, "<%s>", element_formats[op->args[op_output(op)].type].cuda_type);
    call_add(call, "<<<rungbench_grid, rungbench_block>>>(");
    return !self.is_unknown;
}
