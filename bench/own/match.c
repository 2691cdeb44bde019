#include "match.h"

#include "array_use.h"

#include "bench/base/plain_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct meaning {
    const char *op, *names, *values, *only;
};

/* Each ends with one without an operation. */
static const struct meaning meanings[] = {
#define MEANING(op, names, values, only) {#op, names, values, only},
#include "meanings.def"
    {NULL, NULL, NULL, NULL},
};
static const struct meaning solves[] = {
#define SOLVE(op, names, values) {#op, names, values, ""},
#include "meanings.def"
    {NULL, NULL, NULL, NULL},
};
static const struct meaning synonyms[] = {
#define SYNONYM(op, value, names) {#op, names, #value, ""},
#include "meanings.def"
    {NULL, NULL, NULL, NULL},
};
static const struct meaning scalars[] = {
#define SCALAR(op, names, value) {#op, names, value, ""},
#include "meanings.def"
    {NULL, NULL, NULL, NULL},
};
static const struct meaning numbers[] = {
#define NUMBER(op, names, value) {#op, names, value, ""},
#include "meanings.def"
    {NULL, NULL, NULL, NULL},
};
static const struct meaning kernel_options[] = {
#define OPTIONAL(op, sizes) {#op, sizes, "", ""},
#include "meanings.def"
    {NULL, NULL, NULL, NULL},
};

void match_plain_name(struct part name, char plain[NAME_BYTES])
{
    size_t length = 0;
    for (size_t i = 0; i < name.length && length < NAME_BYTES - 1; i++)
        if (name.at[i] != '_')
            plain[length++] = (char)tolower((unsigned char)name.at[i]);
    plain[length] = '\0';
}

/* Of an array, without what says where it lies: d_A, A_d, dev_a, matrixA, input_a are "a". */
static void plain_array(struct part name, char plain[NAME_BYTES])
{
    static const char *const before[] = {"device", "dev", "d_", "gpu", "g_", "h_", "input", "in_", "matrix", "mat"},
                             *const after[] = {"_device", "_dev", "_d", "_gpu", "_h", "_ptr", "_matrix", "_mat"};
    for (size_t i = 0; i < sizeof after / sizeof after[0]; i++) {
        const size_t length = strlen(after[i]);
        if (name.length > length && strncmp(name.at + name.length - length, after[i], length) == 0)
            name.length -= length;
    }
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        const size_t length = strlen(before[i]);
        if (name.length > length && strncmp(name.at, before[i], length) == 0)
            name = (struct part){name.at + length, name.length - length};
    }
    match_plain_name(name, plain);
}

struct part part_of(const char *text)
{
    return (struct part){text, strlen(text)};
}

/* The number of the word among the words; -1: it is none. */
static int find_part(const char *words, struct part word)
{
    return op_find_name(words, word.at, word.length);
}

static int find_word(const char *words, const char *word)
{
    return find_part(words, part_of(word));
}

static struct part word_at(const char *words, size_t i)
{
    while (i-- > 0)
        words = op_name_after(words);
    return (struct part){words, strcspn(words, " ")};
}

static size_t count_words(const char *words)
{
    size_t count = 0;
    for (; *words; words = op_name_after(words))
        count++;
    return count;
}

const char *match_sizes_of(const struct op *op)
{
    return op->members ? op->members : op->sizes;
}

size_t match_list_args(const struct op *op, size_t args[ARGS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; op->args[i].name; i++)
        if (i != op_beginning(op))
            args[count++] = i;
    return count;
}

size_t match_list_parameters(const struct function *function, enum parameter_kind kind, size_t found[PARAMETERS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < function->count; i++)
        if (function->parameters[i].kind == kind)
            found[count++] = i;
    return count;
}

bool match_fail(struct match *match, const char *why)
{
    match->why = why;
    return false;
}

void match_write_sizes(struct part expression, char *text, size_t size)
{
    struct part rest = expression, name;
    const char *at = expression.at;
    text[0] = '\0';
    for (; part_next_name(&rest, &name); at = name.at + name.length)
        text_append(text, size, "%.*srungbench_p->%.*s", (int)(name.at - at), at, (int)name.length, name.at);
    text_append(text, size, "%.*s", (int)(expression.at + expression.length - at), at);
}

static bool is_wide(const struct parameter *parameter)
{
    static const char wide[] = "size_t int64_t uint64_t ptrdiff_t ssize_t";
    return find_part(wide, parameter->type) >= 0 || part_has_word(parameter->text, "long");
}

static void give_size(struct match *match, size_t parameter, struct part expression)
{
    char text[sizeof match->given->text - 8];
    struct given *given = &match->given[parameter];
    const bool wide = is_wide(&match->function->parameters[parameter]);
    match_write_sizes(expression, text, sizeof text);
    snprintf(given->text, sizeof given->text, "%s(%s)", wide ? "" : "(int)", text);
    snprintf(given->shown, sizeof given->shown, "%.*s", (int)expression.length, expression.at);
    match->call->has_int_sizes = match->call->has_int_sizes || !wide;
}

/* An array's elements may be written in other ways that have the same bytes. A type that is not known is a typedef, or
 * of a template. */
static bool is_type_of(struct part type, enum element_type element)
{
    static const char *const of[ELEMENT_TYPES] = {
        [ELEMENT_FLOAT] = "float float2 float4",
        [ELEMENT_BYTE] = "uint8_t char uchar uchar3 uchar4",
        [ELEMENT_INT8] = "int8_t char char4",
        [ELEMENT_INT32] = "int32_t int int4",
        [ELEMENT_DOUBLE] = "double double2",
        [ELEMENT_HALF] = "__half half half2 __half2 _Float16",
        [ELEMENT_BFLOAT16] = "__nv_bfloat16 nv_bfloat16 uint16_t __nv_bfloat162",
    };
    bool is_known = false;
    for (size_t i = 0; i < ELEMENT_TYPES; i++)
        is_known = is_known || find_part(of[i], type) >= 0;
    return !is_known || find_part(of[element], type) >= 0;
}

/* As an array of the operation's elements, or of vectors of them. False: of others. */
static bool give_array(struct match *match, size_t parameter, size_t arg)
{
    const struct op_arg *of = &match->op->args[arg];
    const struct parameter *to = &match->function->parameters[parameter];
    const struct element_format *format = &element_formats[of->type];
    struct given *given = &match->given[parameter];
    char member[OP_MEMBER_BYTES];
    op_member(of, member);
    const bool is_vector = find_part("float2 float4 uchar3 uchar4 char4 int4", to->type) >= 0;
    const struct part type = is_vector ? to->type : part_of(match->call->is_cuda ? format->cuda_type : format->c_type);
    snprintf(given->text, sizeof given->text, "(%s%.*s *)rungbench_p->%s", to->is_const ? "const " : "",
             (int)type.length, type.at, member);
    snprintf(given->shown, sizeof given->shown, "%s", of->name);
    given->arg = arg;
    return is_type_of(to->type, of->type) || match_fail(match, "has arrays of another type");
}

/* How likely the array is the output: by what is done with it, by its name, by its place. */
static int output_score(const struct match *match, size_t parameter, bool is_last)
{
    static const char names[] = "out output outputc c o res result ret dst dest p r ans answer gray grey";
    const struct parameter *of = &match->function->parameters[parameter];
    char plain[NAME_BYTES], own[NAME_BYTES];
    plain_array(of->name, plain);
    plain_array(part_of(match->op->args[op_output(match->op)].name), own);
    if (of->is_const)
        return 0;
    return 1 + is_last + 2 * (find_word(names, plain) >= 0) + 4 * (strcmp(plain, own) == 0) +
           8 * array_is_written(match->source, match->function, parameter);
}

/* Moves the output to the end. False: none may be written. */
static bool find_output(const struct match *match, size_t arrays[], size_t count)
{
    size_t best = 0;
    int most = 0;
    for (size_t i = 0; i < count; i++) {
        const int score = output_score(match, arrays[i], i == count - 1);
        best = score > most ? i : best;
        most = score > most ? score : most;
    }
    const size_t output = arrays[best];
    for (size_t i = best; i + 1 < count; i++)
        arrays[i] = arrays[i + 1];
    arrays[count - 1] = output;
    return most > 0;
}

/* If all of them have names of the operation, puts them in its order. */
static bool order_by_names(const struct match *match, const size_t args[], size_t arrays[], size_t count)
{
    size_t ordered[ARGS_MAX] = {0};
    char plain[NAME_BYTES], own[NAME_BYTES];
    for (size_t i = 0; i < count; i++) {
        size_t found = 0;
        plain_array(part_of(match->op->args[args[i]].name), own);
        for (size_t a = 0; a < count; a++) {
            plain_array(match->function->parameters[arrays[a]].name, plain);
            if (strcmp(plain, own) == 0) {
                ordered[i] = arrays[a];
                found++;
            }
        }
        if (found != 1)
            return false;
        const bool is_const = match->function->parameters[ordered[i]].is_const;
        if (match->op->args[args[i]].is_output ? is_const
                                               : array_is_written(match->source, match->function, ordered[i]))
            return false; /* it means something else */
    }
    memcpy(arrays, ordered, count * sizeof *ordered);
    return true;
}

static bool give_arrays(struct match *match)
{
    size_t arrays[PARAMETERS_MAX], args[ARGS_MAX] = {0};
    const size_t count = match_list_parameters(match->function, PARAMETER_POINTER, arrays),
                 wanted = match_list_args(match->op, args);
    if (count != wanted)
        return match_fail(match, count < wanted ? "has fewer arrays" : "has more arrays");
    if (!order_by_names(match, args, arrays, count)) {
        if (!find_output(match, arrays, count))
            return match_fail(match, "has no array that it may write");
        (void)order_by_names(match, args, arrays, count - 1);
    }
    for (size_t i = 0; i < count; i++)
        if (!give_array(match, arrays[i], args[i]))
            return false;
    return true;
}

/* The names of the integer parameters are those, in any order or in this one. */
static bool have_names(const struct function *function, const size_t sizes[], size_t count, const char *names,
                       bool in_order)
{
    unsigned seen = 0;
    char plain[NAME_BYTES];
    if (count_words(names) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        match_plain_name(function->parameters[sizes[i]].name, plain);
        const int found = names[0] == '*' ? (int)i : find_word(names, plain);
        if (found < 0 || (in_order && found != (int)i))
            return false;
        seen |= 1U << found;
    }
    return seen == (1U << count) - 1;
}

static bool give_meaning(struct match *match, const size_t sizes[], size_t count, const struct meaning *table,
                         bool in_order)
{
    char plain[NAME_BYTES];
    for (const struct meaning *meaning = table; meaning->op; meaning++) {
        if (strcmp(meaning->op, match->op->name) != 0 ||
            !have_names(match->function, sizes, count, meaning->names, in_order))
            continue;
        for (size_t i = 0; i < count; i++) {
            match_plain_name(match->function->parameters[sizes[i]].name, plain);
            give_size(
                match, sizes[i],
                word_at(meaning->values, meaning->names[0] == '*' ? i : (size_t)find_word(meaning->names, plain)));
        }
        snprintf(match->call->only, sizeof match->call->only, "%s", meaning->only);
        return true;
    }
    return false;
}

/* What goes by that name, or the operation's first, of NULL; NULL: nothing does. */
static const struct meaning *find_meaning(const struct meaning *table, const struct op *op, const char *plain)
{
    for (; table->op; table++)
        if (strcmp(table->op, op->name) == 0 && (!plain || find_word(table->names, plain) >= 0))
            return table;
    return NULL;
}

/* Sizes that no parameter has are 1, if the operation can do without them. */
static bool complete_sizes(struct match *match, unsigned seen)
{
    const struct meaning *optional = find_meaning(kernel_options, match->op, NULL);
    char only[sizeof match->call->only] = "";
    for (size_t i = 0; i < count_words(match_sizes_of(match->op)); i++) {
        const struct part size = word_at(match_sizes_of(match->op), i);
        if (seen & 1U << i)
            continue;
        if (!optional || find_part(optional->names, size) < 0)
            return false;
        text_append(only, sizeof only, "%s%.*s=1", only[0] ? "," : "", (int)size.length, size.at);
    }
    memcpy(match->call->only, only, sizeof only);
    return seen != 0;
}

/* Each name is of one size, or follows from some. */
static bool give_by_names(struct match *match, const size_t sizes[], size_t count)
{
    unsigned seen = 0;
    char plain[NAME_BYTES];
    for (size_t i = 0; i < count; i++) {
        match_plain_name(match->function->parameters[sizes[i]].name, plain);
        const int own = find_word(match_sizes_of(match->op), plain);
        const struct meaning *synonym = own < 0 ? find_meaning(synonyms, match->op, plain) : NULL;
        if (own < 0 && !synonym)
            return false;
        const struct part value = own < 0 ? part_of(synonym->values) : word_at(match_sizes_of(match->op), (size_t)own);
        const int found = find_part(match_sizes_of(match->op), value);
        seen |= found >= 0 ? 1U << found : 0;
        give_size(match, sizes[i], value);
    }
    return complete_sizes(match, seen);
}

/* The size that is the length of a matrix's rows: the last of its two extents; -1: it is none. */
static int row_length_of(const struct op *op, size_t arg)
{
    const char *comma = strchr(op->args[arg].extents, ',');
    return op_rank(op, op->args[arg].extents) == 2 && !op->words ? find_word(match_sizes_of(op), comma + 1) : -1;
}

/* By what the kernels multiply indexes with: the lengths of rows are known, and one that is left is the size that is
 * left. */
static bool give_by_use(struct match *match, const size_t sizes[], size_t count)
{
    const struct op *op = match->op;
    int of[PARAMETERS_MAX], left = -1;
    size_t known = 0, unknown = SIZE_MAX;
    unsigned seen = 0;
    if (count != count_words(match_sizes_of(op)))
        return false;
    memset(of, -1, sizeof of);
    for (size_t i = 0; i < match->function->count; i++) {
        const bool is_array = match->function->parameters[i].kind == PARAMETER_POINTER;
        const int size = is_array ? row_length_of(op, match->given[i].arg) : -1;
        const size_t length = size < 0 ? SIZE_MAX : array_row_length(match->source, match->function, i);
        if (length == SIZE_MAX)
            continue;
        if ((of[length] >= 0 && of[length] != size) || (of[length] < 0 && (seen & 1U << size)))
            return false; /* it contradicts itself */
        known += of[length] < 0;
        of[length] = size;
        seen |= 1U << size;
    }
    for (size_t i = 0; i < count; i++) {
        left = (seen & 1U << i) ? left : (int)i;
        unknown = of[sizes[i]] < 0 ? sizes[i] : unknown;
    }
    if (known + 1 < count)
        return false;
    if (known < count)
        of[unknown] = left;
    for (size_t i = 0; i < count; i++)
        give_size(match, sizes[i], word_at(match_sizes_of(op), (size_t)of[sizes[i]]));
    return true;
}

/* One size, by which an index is multiplied: the side of a square matrix. */
static bool give_square(struct match *match, const size_t sizes[], size_t count)
{
    const struct op *op = match->op;
    if (count != 1 || count_words(match_sizes_of(op)) != 2 || op->words)
        return false;
    for (size_t i = 0; i < match->function->count; i++)
        if (match->function->parameters[i].kind == PARAMETER_POINTER && row_length_of(op, match->given[i].arg) >= 0 &&
            array_row_length(match->source, match->function, i) == sizes[0]) {
            const struct part first = word_at(match_sizes_of(op), 0), second = word_at(match_sizes_of(op), 1);
            give_size(match, sizes[0], first);
            snprintf(match->call->only, sizeof match->call->only, "%.*s=%.*s", (int)first.length, first.at,
                     (int)second.length, second.at);
            return true;
        }
    return false;
}

const char *match_solve_names(const struct op *op, const char **sizes)
{
    const struct meaning *solve = find_meaning(solves, op, NULL);
    if (!solve)
        return NULL;
    *sizes = solve->values;
    return solve->names;
}

bool match_is_solve(const struct function *function)
{
    return part_is(function->name, "solve");
}

bool parameter_is_block_size(const struct parameter *parameter)
{
    char plain[NAME_BYTES];
    match_plain_name(parameter->name, plain);
    return find_word("blocksize threads numthreads threadsperblock tpb blockdim", plain) >= 0;
}

/* Block sizes, strides and the like; what is left are the sizes. Returns how many those are. */
static size_t give_numbers(struct match *match, size_t sizes[PARAMETERS_MAX])
{
    size_t all[PARAMETERS_MAX], left = 0;
    const size_t count = match_list_parameters(match->function, PARAMETER_INTEGER, all);
    for (size_t i = 0; i < count; i++) {
        char plain[NAME_BYTES];
        const struct parameter *parameter = &match->function->parameters[all[i]];
        match_plain_name(parameter->name, plain);
        const struct meaning *number = find_meaning(numbers, match->op, plain);
        const char *value = number ? number->values : parameter_is_block_size(parameter) ? BLOCK_SIZE_GIVEN : NULL;
        if (value)
            give_size(match, all[i], part_of(value));
        else
            sizes[left++] = all[i];
    }
    return left;
}

static bool give_sizes(struct match *match)
{
    size_t sizes[PARAMETERS_MAX];
    const size_t count = give_numbers(match, sizes);
    /* Some write C(m x n) = A(m x k) B(k x n), and some with n and k the other way round. */
    const bool is_unclear = have_names(match->function, sizes, count, match_sizes_of(match->op), false);
    return (is_unclear && give_by_use(match, sizes, count)) ||
           (match_is_solve(match->function) && give_meaning(match, sizes, count, solves, true)) ||
           give_by_names(match, sizes, count) || give_square(match, sizes, count) ||
           give_meaning(match, sizes, count, meanings, false) || give_by_use(match, sizes, count) ||
           (count == 0 && match->call->size_is_said) ||
           match_fail(match, count == 0 ? "is made for one size, which nobody has said (--size=...)"
                                        : "does not say which size is which");
}

static bool is_beta(const char *plain)
{
    return find_word("beta b sumscale", plain) >= 0;
}

bool match_adds_output(const struct function *function)
{
    char plain[NAME_BYTES];
    for (size_t i = 0; i < function->count; i++) {
        match_plain_name(function->parameters[i].name, plain);
        if (function->parameters[i].kind == PARAMETER_REAL && is_beta(plain))
            return true;
    }
    return false;
}

/* NULL: nobody knows which number is meant. */
static const char *scalar_of(const struct match *match, const char *plain)
{
    const struct meaning *scalar = find_meaning(scalars, match->op, plain);
    if (scalar)
        return scalar->values;
    return is_beta(plain) ? "0" : find_word("alpha a prodscale scale", plain) >= 0 ? "1" : NULL;
}

/* alpha and beta of a GEMM, a stream. */
static bool give_others(struct match *match)
{
    char plain[NAME_BYTES];
    for (size_t i = 0; i < match->function->count; i++) {
        const struct parameter *parameter = &match->function->parameters[i];
        struct given *given = &match->given[i];
        match_plain_name(parameter->name, plain);
        const char *text = parameter->kind == PARAMETER_STREAM ? "rungbench_stream"
                           : parameter->kind == PARAMETER_REAL ? scalar_of(match, plain)
                                                               : given->text;
        if (!text || text[0] == '\0')
            return match_fail(match, "has a parameter that is neither an array nor a size");
        if (text == given->text)
            continue;
        snprintf(given->text, sizeof given->text, "%s", text);
        snprintf(given->shown, sizeof given->shown, "%s", text);
    }
    return true;
}

bool match_parameters(struct match *match)
{
    match->call->adds_output = match_adds_output(match->function);
    match->fits = give_arrays(match) && give_sizes(match) && give_others(match);
    return match->fits;
}
