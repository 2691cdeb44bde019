#include "match.h"

#include "bench/base/plain_text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static int find_word(const char *words, const char *word)
{
    return part_find(words, part_of(word));
}

struct meaning {
    enum { SIZES, SIZES_OF_SOLVE, ONE_SIZE, ONE_SCALAR, ONE_NUMBER, OPTIONAL_SIZES, KERNEL_WORDS, OTHER_ARRAYS } kind;
    const char *op, *names, *values, *only;
};

static const struct meaning meanings[] = {
#define MEANING(op, names, values, only) {SIZES, #op, names, values, only},
#define SOLVE(op, names, values) {SIZES_OF_SOLVE, #op, names, values, ""},
#define SYNONYM(op, value, names) {ONE_SIZE, #op, names, #value, ""},
#define SCALAR(op, names, value) {ONE_SCALAR, #op, names, value, ""},
#define NUMBER(op, names, value) {ONE_NUMBER, #op, names, value, ""},
#define OPTIONAL(op, sizes) {OPTIONAL_SIZES, #op, sizes, "", ""},
#define WORDS(op, words) {KERNEL_WORDS, #op, words, "", ""},
#define OTHERS(op, names) {OTHER_ARRAYS, #op, names, "", ""},
#include "meanings.def"
};

/* The next one of that kind behind `last`; NULL: there is no more. */
static const struct meaning *next_meaning(int kind, const struct op *op, const struct meaning *last)
{
    for (last = last ? last + 1 : meanings; last < meanings + sizeof meanings / sizeof meanings[0]; last++)
        if ((int)last->kind == kind && (strcmp(last->op, op->name) == 0 || strcmp(last->op, "any") == 0))
            return last;
    return NULL;
}

/* What goes by that name. */
static const struct meaning *find_meaning(int kind, const struct op *op, const char *plain)
{
    const struct meaning *meaning = NULL;
    while ((meaning = next_meaning(kind, op, meaning)) && find_word(meaning->names, plain) < 0) {
    }
    return meaning;
}

struct part match_word(const char *words, size_t i)
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

bool match_fail(struct match *match, const char *why)
{
    match->why = why;
    return false;
}

static void give_size(struct match *match, size_t parameter, struct part expression)
{
    char text[sizeof match->given->text - 8];
    struct given *given = &match->given[parameter];
    const struct parameter *to = &match->function->parameters[parameter];
    const bool wide =
        part_find("size_t int64_t uint64_t ptrdiff_t ssize_t", to->type) >= 0 || part_has_word(to->text, "long");
    call_write_sizes(expression, text, sizeof text);
    snprintf(given->text, sizeof given->text, "%s(%s)", wide ? "" : "(int)", text);
    snprintf(given->shown, sizeof given->shown, "%.*s", PART(expression));
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
        is_known = is_known || part_find(of[i], type) >= 0;
    return !is_known || part_find(of[element], type) >= 0;
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
    const bool is_vector = part_find("float2 float4 uchar3 uchar4 char4 int4", to->type) >= 0;
    const struct part type = is_vector ? to->type : part_of(match->call->is_cuda ? format->cuda_type : format->c_type);
    snprintf(given->text, sizeof given->text, "(%s%.*s *)rungbench_p->%s", to->is_const ? "const " : "", PART(type),
             member);
    snprintf(given->shown, sizeof given->shown, "%s", of->name);
    given->arg = arg;
    return is_type_of(to->type, of->type) || match_fail(match, "has arrays of another type");
}

/* Whether the array is called as that one of the operation. */
static bool is_called(const struct match *match, size_t parameter, size_t arg)
{
    char own[NAME_BYTES];
    array_plain(part_of(match->op->args[arg].name), own);
    return strcmp(match->function->parameters[parameter].plain, own) == 0;
}

/* How likely the array is the output: by what is done with it, by its name, by its place. */
static int output_score(const struct match *match, size_t parameter, bool is_last)
{
    static const char names[] = "out output outputc c o res result ret dst dest p r ans answer gray grey";
    const struct parameter *of = &match->function->parameters[parameter];
    if (of->is_const)
        return 0;
    return 1 + is_last + 2 * (find_word(names, of->plain) >= 0) +
           4 * is_called(match, parameter, op_output(match->op)) +
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
    for (size_t i = 0; i < count; i++) {
        size_t found = 0;
        for (size_t a = 0; a < count; a++)
            if (is_called(match, arrays[a], args[i])) {
                ordered[i] = arrays[a];
                found++;
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
    size_t arrays[PARAMETERS_MAX], args[ARGS_MAX] = {0}, count = 0;
    const size_t wanted = match_list_args(match->op, args);
    for (size_t i = 0; i < match->function->count; i++)
        if (match->function->parameters[i].kind == PARAMETER_POINTER)
            arrays[count++] = i;
    if (count != wanted)
        return match_fail(match, count < wanted ? "has fewer arrays" : "has more arrays");
    if (!order_by_names(match, args, arrays, count)) {
        if (!find_output(match, arrays, count))
            return match_fail(match, "has no array that it may write");
        (void)order_by_names(match, args, arrays, count - 1);
    }
    for (size_t i = 0; i < count; i++) {
        if (find_meaning(OTHER_ARRAYS, match->op, match->function->parameters[arrays[i]].plain))
            return match_fail(match, "takes an array that is transposed");
        if (!give_array(match, arrays[i], args[i]))
            return false;
    }
    return true;
}

/* The number among the names of one of the sizes; * stands for any one. */
static int find_size(const struct match *match, size_t i, const char *names)
{
    return names[0] == '*' ? (int)i : find_word(names, match->function->parameters[match->sizes[i]].plain);
}

/* The names of the sizes are those, in any order or in this one. */
static bool have_names(const struct match *match, const char *names, bool in_order)
{
    unsigned seen = 0;
    if (count_words(names) != match->size_count)
        return false;
    for (size_t i = 0; i < match->size_count; i++) {
        const int found = find_size(match, i, names);
        if (found < 0 || (in_order && found != (int)i))
            return false;
        seen |= 1U << found;
    }
    return seen == (1U << match->size_count) - 1;
}

static bool give_meaning(struct match *match, int kind, bool in_order)
{
    const struct meaning *meaning = NULL;
    while ((meaning = next_meaning(kind, match->op, meaning)) && !have_names(match, meaning->names, in_order)) {
    }
    for (size_t i = 0; meaning && i < match->size_count; i++)
        give_size(match, match->sizes[i], match_word(meaning->values, (size_t)find_size(match, i, meaning->names)));
    if (meaning)
        snprintf(match->call->only, sizeof match->call->only, "%s", meaning->only);
    return meaning;
}

/* Sizes that no parameter has are 1, if the operation can do without them. */
static bool complete_sizes(struct match *match, unsigned seen)
{
    const struct meaning *optional = next_meaning(OPTIONAL_SIZES, match->op, NULL);
    char only[sizeof match->call->only] = "";
    for (size_t i = 0; i < count_words(match_sizes_of(match->op)); i++) {
        const struct part size = match_word(match_sizes_of(match->op), i);
        if (seen & 1U << i)
            continue;
        if (!optional || part_find(optional->names, size) < 0)
            return false;
        text_append(only, sizeof only, "%s%.*s=1", only[0] ? "," : "", PART(size));
    }
    memcpy(match->call->only, only, sizeof only);
    return seen != 0;
}

/* Each name is of one size, or follows from some. */
static bool give_by_names(struct match *match)
{
    const char *names = match_sizes_of(match->op);
    unsigned seen = 0;
    for (size_t i = 0; i < match->size_count; i++) {
        const char *plain = match->function->parameters[match->sizes[i]].plain;
        const int own = find_word(names, plain);
        const struct meaning *synonym = own < 0 ? find_meaning(ONE_SIZE, match->op, plain) : NULL;
        if (own < 0 && !synonym)
            return false;
        const struct part value = own < 0 ? part_of(synonym->values) : match_word(names, (size_t)own);
        const int found = part_find(names, value);
        seen |= found >= 0 ? 1U << found : 0;
        give_size(match, match->sizes[i], value);
    }
    return complete_sizes(match, seen);
}

/* The size that is the length of an array's rows, where that is a matrix: the last of its two extents; -1: it is none.
 * `parameter` becomes the one by which kernels multiply indexes of its rows; SIZE_MAX: none is seen. */
static int row_length_of(const struct match *match, size_t array, size_t *parameter)
{
    const struct op *op = match->op;
    const char *extents = op->args[match->given[array].arg].extents;
    *parameter = SIZE_MAX;
    if (match->function->parameters[array].kind != PARAMETER_POINTER || op_rank(op, extents) != 2 || op->words)
        return -1;
    const int size = find_word(match_sizes_of(op), strchr(extents, ',') + 1);
    if (size >= 0)
        *parameter = array_row_length(match->source, match->function, array);
    return size;
}

/* By what the kernels multiply indexes with: the lengths of rows are known, and one that is left is the size that is
 * left. One that stands alone is the side of a square matrix. */
static bool give_by_use(struct match *match)
{
    const char *names = match_sizes_of(match->op);
    const size_t count = match->size_count;
    int of[PARAMETERS_MAX], left = -1;
    size_t known = 0, length;
    unsigned seen = 0;
    memset(of, -1, sizeof of);
    for (size_t i = 0; i < match->function->count; i++) {
        const int size = row_length_of(match, i, &length);
        if (length == SIZE_MAX || of[length] == size)
            continue;
        if (of[length] >= 0 || (seen & 1U << size))
            return false; /* it contradicts itself */
        known++;
        of[length] = size;
        seen |= 1U << size;
    }
    if (count == 1 && known == 1 && count_words(names) == 2 && of[match->sizes[0]] >= 0) {
        give_size(match, match->sizes[0], match_word(names, 0));
        snprintf(match->call->only, sizeof match->call->only, "%.*s=%.*s", PART(match_word(names, 0)),
                 PART(match_word(names, 1)));
        return true;
    }
    if (count != count_words(names) || known + 1 < count)
        return false;
    for (size_t i = 0; i < count; i++)
        left = (seen & 1U << i) ? left : (int)i;
    for (size_t i = 0; i < count; i++) {
        const int size = of[match->sizes[i]];
        give_size(match, match->sizes[i], match_word(names, (size_t)(size < 0 ? left : size)));
    }
    return true;
}

const char *match_solve_names(const struct op *op, const char **sizes)
{
    const struct meaning *solve = next_meaning(SIZES_OF_SOLVE, op, NULL);
    if (solve)
        *sizes = solve->values;
    return solve ? solve->names : NULL;
}

bool match_is_solve(const struct function *function)
{
    return part_is(function->name, "solve");
}

/* Of column_sums or ColumnSums, "column". */
static bool has_word(struct part name, const char *word)
{
    struct part found;
    for (; pattern_find("[A-Z]?[a-z]+|[A-Z]+", name, &found, 1); name = part_from(name, found.at + found.length))
        if (found.length == strlen(word) && strncasecmp(found.at, word, found.length) == 0)
            return true;
    return false;
}

bool match_is_named(const struct op *op, const struct function *function)
{
    const struct meaning *words = next_meaning(KERNEL_WORDS, op, NULL);
    char plain[NAME_BYTES], word[NAME_BYTES];
    part_plain(function->name, plain);
    for (const char *at = words ? words->names : ""; *at; at = op_name_after(at)) {
        const bool is_without = at[0] == '-';
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " ") - is_without, at + is_without);
        if (is_without && has_word(function->name, word))
            return false;
        if (!is_without && strstr(plain, word))
            return true;
    }
    return false;
}

const char *match_number(const struct op *op, const struct parameter *parameter)
{
    const struct meaning *number =
        parameter->kind == PARAMETER_INTEGER ? find_meaning(ONE_NUMBER, op, parameter->plain) : NULL;
    return number ? number->values : NULL;
}

/* Block sizes, strides and the like; what is left are the sizes. */
static void give_numbers(struct match *match)
{
    for (size_t i = 0; i < match->function->count; i++) {
        const char *number = match_number(match->op, &match->function->parameters[i]);
        if (number)
            give_size(match, i, part_of(number));
        else if (match->function->parameters[i].kind == PARAMETER_INTEGER)
            match->sizes[match->size_count++] = i;
    }
}

static bool give_sizes(struct match *match)
{
    give_numbers(match);
    /* Some write C(m x n) = A(m x k) B(k x n), and some with n and k the other way round. */
    const bool is_unclear = have_names(match, match_sizes_of(match->op), false);
    return (is_unclear && give_by_use(match)) ||
           (match_is_solve(match->function) && give_meaning(match, SIZES_OF_SOLVE, true)) || give_by_names(match) ||
           give_by_use(match) || give_meaning(match, SIZES, false) ||
           (match->size_count == 0 && match->call->size_is_said) ||
           match_fail(match, match->size_count == 0 ? "is made for one size, which nobody has said (--size=...)"
                                                    : "does not say which size is which");
}

/* alpha and beta of a GEMM, a stream. NULL: nobody knows what is meant. */
static const char *other_of(const struct op *op, const struct parameter *parameter)
{
    const struct meaning *scalar =
        parameter->kind == PARAMETER_REAL ? find_meaning(ONE_SCALAR, op, parameter->plain) : NULL;
    return parameter->kind == PARAMETER_STREAM ? "rungbench_stream" : scalar ? scalar->values : NULL;
}

bool match_adds_output(const struct op *op, const struct function *function)
{
    bool adds = false;
    for (size_t i = 0; i < function->count; i++) {
        const char *other = other_of(op, &function->parameters[i]);
        adds = adds || (other && strcmp(other, "0") == 0);
    }
    return adds;
}

static bool give_others(struct match *match)
{
    for (size_t i = 0; i < match->function->count; i++) {
        struct given *given = &match->given[i];
        if (given->text[0] != '\0')
            continue;
        const char *text = other_of(match->op, &match->function->parameters[i]);
        if (!text)
            return match_fail(match, "has a parameter that is neither an array nor a size");
        snprintf(given->text, sizeof given->text, "%s", text);
        snprintf(given->shown, sizeof given->shown, "%s", text);
    }
    return true;
}

bool match_parameters(struct match *match)
{
    match->call->adds_output = match_adds_output(match->op, match->function);
    match->fits = give_arrays(match) && give_sizes(match) && give_others(match);
    return match->fits;
}
