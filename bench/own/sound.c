#include "sound.h"

#include "bench/base/memory.h"
#include "bench/base/pattern.h"
#include "bench/ops/answer.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_like(const char *text, const char *pattern)
{
    struct part found;
    return text && pattern_find(pattern, (struct part){text, strlen(text)}, &found, 1);
}

static const char word[] = "^[A-Za-z]\\w{0,30}$";

static bool are_names_sound(const struct op *op, struct error *error)
{
    int count = 0;
    if (!is_like(op->name, word))
        return error_set(error, ".name is %s, expected a word of letters, digits and _", op->name ? op->name : "NULL");
    static_assert(OP_SIZES_MAX == 6, "as in the pattern");
    bool ok = is_like(op->sizes, "^[a-z_]{1,31}(?: [a-z_]{1,31}){0,5}$");
    for (const char *at = ok ? op->sizes : ""; *at; at = op_name_after(at))
        ok = ok && op_find_name(op->sizes, at, strcspn(at, " ")) == count++;
    return ok ||
           error_set(error, ".sizes is \"%s\", expected 1 to %d different names of small letters with a space between",
                     op->sizes ? op->sizes : "", OP_SIZES_MAX);
}

/* Kernels call arguments by small letters, beside the sizes. */
static bool is_single(const struct op *op, size_t number)
{
    const char *name = op->args[number].name;
    for (size_t i = 0; i < number; i++)
        if (strcasecmp(op->args[i].name, name) == 0)
            return false;
    return op_find_name(op->sizes, name, strlen(name)) < 0;
}

static bool is_expression(const struct op *op, const char *field, const char *text, struct error *error)
{
    return !text || op_rank(op, text) == 1 ||
           error_set(error, "%s is \"%s\", expected a sum of products of \"%s\"", field, text, op->sizes);
}

static bool is_beginning_sound(const struct op *op, struct error *error)
{
    const struct op_arg *last = &op->args[op_args_end(op) - 1], *first = &op->args[op_beginning(op)];
    for (const struct op_arg *arg = op->args; arg <= last; arg++)
        if (arg->begins_as && (arg != last || !first->name || first->is_output || first->type != last->type ||
                               strcmp(first->extents, last->extents) != 0))
            return error_set(error,
                             "%s: begins as \"%s\", expected an input with the same extents and type, and of the last "
                             "output alone",
                             arg->name, arg->begins_as);
    return true;
}

static bool are_args_sound(const struct op *op, struct error *error)
{
    size_t count = 0, outputs = 0;
    for (; count <= OP_BUFFERS_MAX && op->args[count].name; count++) {
        const struct op_arg *arg = &op->args[count];
        outputs += arg->is_output;
        if (!is_like(arg->name, word))
            return error_set(error, "the argument \"%s\": expected a name of letters, digits and _", arg->name);
        if (!is_single(op, count))
            return error_set(error, "the argument \"%s\": expected names that differ in small letters, from sizes too",
                             arg->name);
        if (!arg->extents || op_rank(op, arg->extents) < 1)
            return error_set(error, "%s: its extents are \"%s\", expected up to %d sums of products of \"%s\"",
                             arg->name, arg->extents ? arg->extents : "", OP_RANK_MAX, op->sizes);
        if (!is_expression(op, ".from", arg->from, error) || !is_expression(op, ".to", arg->to, error) ||
            !is_expression(op, ".fan_in", arg->fan_in, error))
            return false;
        const bool has_range = arg->from && arg->to, is_plain = !arg->from && !arg->to && arg->order == ORDER_NONE;
        if (!is_plain && (!has_range || arg->type != ELEMENT_INT32 || arg->is_output))
            return error_set(error, "%s: expected .from, .to and .order of an INT32 input, and both or none",
                             arg->name);
        if (arg->fan_in && (arg->is_output || arg->type != ELEMENT_FLOAT || arg->make || op->formula))
            return error_set(error, "%s: expected .fan_in of a float input without .make, with .compute", arg->name);
        if (arg->make && (arg->is_output || !is_plain))
            return error_set(error, "%s: expected .make of an input without .from, .to and .order", arg->name);
    }
    if (count < 2 || count > OP_BUFFERS_MAX || outputs == 0 || outputs == count || op_output(op) + outputs != count)
        return error_set(error,
                         "saw %zu arguments and %zu outputs, expected up to %d arguments, inputs and then outputs",
                         count, outputs, OP_BUFFERS_MAX);
    return is_beginning_sound(op, error);
}

static bool is_formula_sound(const struct op *op, struct error *error)
{
    static const struct workload any = {.size = {1, 1, 1, 1, 1, 1}};
    struct sums sums;
    return !sums_of(op, &any, &sums) || !sums.is_wrong ||
           error_set(error,
                     ".formula is \"%s\", expected as \"y[i] = A[i,j] x[j]\": one or two inputs with all of their "
                     "extents, each letter alone in one of them",
                     op->formula);
}

static bool is_computed(const struct op *op, struct error *error)
{
    if ((op->formula != NULL) == (op->compute != NULL))
        return error_set(error, "expected either .formula or .compute");
    if (op->formula && op_output(op) + 1 < op_args_end(op))
        return error_set(error, "saw .formula and several outputs, expected .compute");
    if (op->formula && op->is_exact)
        return error_set(error, "saw .is_exact with .formula, expected .compute: what is exact follows from a formula");
    for (size_t i = 0; op->formula && op->args[i].name; i++)
        if (op->args[i].type == ELEMENT_DOUBLE || (op->args[i].type == ELEMENT_INT32 && !op->args[i].is_output))
            return error_set(error, "%s: FP32 does not hold what a formula sums, expected .compute for such elements",
                             op->args[i].name);
    return is_formula_sound(op, error) && is_expression(op, ".piece", op->piece, error) &&
           is_expression(op, ".operations", op->operations, error);
}

/* Its message names the workload. */
static bool is_workload_sound(const struct op *op, const struct workload *workload, struct error *error)
{
    struct error reason;
    return op_takes(op, workload, &reason) || error_set(error, "%s: %s", workload->name, reason.text);
}

static bool is_named(const struct op *op, const struct workload *workload, struct error *error)
{
    const struct part name = {workload->name, strnlen(workload->name, sizeof workload->name)};
    struct part found;
    for (const struct workload *other = op->workloads; other < workload; other++)
        if (strncmp(other->name, workload->name, sizeof other->name) == 0)
            return error_set(error, "there are two workloads \"%.*s\"", (int)sizeof other->name - 1, workload->name);
    return (name.length < sizeof workload->name && pattern_find("^[^ ,/]+$", name, &found, 1)) ||
           error_set(error, "the workload \"%.*s\": expected a word without commas and /", PART(name));
}

bool op_is_sound(const struct op *op, struct error *error)
{
    bool ok = are_names_sound(op, error) && are_args_sound(op, error) && is_computed(op, error);
    for (size_t i = 0; ok && i < op->workload_count; i++)
        ok = is_named(op, &op->workloads[i], error) && is_workload_sound(op, &op->workloads[i], error);
    for (size_t i = 0; ok && i < op->ragged_count; i++) {
        const struct workload workload = op_ragged(op, i);
        ok = is_workload_sound(op, &workload, error);
    }
    return ok;
}

bool op_is_users(const struct op *op, struct error *error)
{
    const struct {
        const char *field;
        bool is_there;
    } of_the_tree[] = {{"members", op->members},
                       {"member_values", op->member_values},
                       {"problem_bytes", op->problem_bytes > 0},
                       {"has_int_sizes", op->has_int_sizes},
                       {"is_batched", op->is_batched},
                       {"words", op->words},
                       {"far", op->far_count > 0},
                       {"ties", op->ties}};
    for (size_t i = 0; i < OP_COUNT(of_the_tree); i++)
        if (of_the_tree[i].is_there)
            return error_set(error, "saw .%s, which only rungbench's own operations have", of_the_tree[i].field);
    for (const struct op_arg *arg = op->args; arg < op->args + OP_BUFFERS_MAX && arg->name; arg++)
        if (arg->real != REAL_NONE)
            return error_set(error, "%s: saw .real, which only rungbench's own operations have", arg->name);
    return true;
}

size_t op_ragged_by_names(const struct op *op, const int64_t (**ragged)[OP_SIZES_MAX])
{
    enum { MOST = 16, TRIES = 64 };
    static int64_t made[MOST][OP_SIZES_MAX];
    static const int64_t values[] = {1, 7, 33, 64, 3, 130, 31, 2, 67, 16, 257, 5, 9};
    static const int64_t lengths[] = {1, 2, 5, 31, 32, 33, 127, 257, 512, 1025, 2050, 4099, 9001}; /* of vectors */
    static_assert(sizeof values == sizeof lengths, "there are as many of both");
    const int64_t *of = strchr(op->sizes, ' ') ? values : lengths;
    const size_t value_count = sizeof values / sizeof values[0];
    const double most_work = 4e6; /* as our own ragged sizes have, about */
    size_t count = 0;
    for (size_t number = 0; number < TRIES && count < MOST; number++) {
        struct workload workload = {0};
        struct error ignored;
        size_t i = 0;
        for (const char *at = op->sizes; *at; at = op_name_after(at))
            workload.size[i] = of[(number * (2 * i + 1) + 3 * i * (number > 0)) % value_count], i++;
        if (is_workload_sound(op, &workload, &ignored) && op_work(op, &workload) <= most_work)
            memcpy(made[count++], workload.size, sizeof workload.size);
    }
    *ragged = (const int64_t(*)[OP_SIZES_MAX])made;
    return count;
}

/* Of a problem in this process's memory, and what is made there. */
struct trial {
    const struct op *op;
    struct workload workload;
    struct made made[OP_BUFFERS_MAX];
    void *host[OP_BUFFERS_MAX];
    size_t outside; /* the input of which one was read that it has not; OP_BUFFERS_MAX: none was */
    int64_t place;
};

static void look(void *self, size_t input, int64_t element)
{
    struct trial *trial = self;
    const bool is_inside = element >= 0 && element < op_elements_of(trial->op, &trial->workload, input);
    if (is_inside || trial->outside < OP_BUFFERS_MAX)
        return;
    trial->outside = input;
    trial->place = element;
}

static bool reads_inside(struct trial *trial, struct error *error)
{
    const struct op *op = trial->op;
    trial->outside = OP_BUFFERS_MAX;
    for (size_t i = op_output(op); i < op_args_end(op); i++)
        (void)op_visit_inputs(op, &trial->workload, trial->made, i, 0, op_elements_of(op, &trial->workload, i), look,
                              trial);
    return trial->outside == OP_BUFFERS_MAX ||
           error_set(error, "at size %s: reads element %" PRId64 " of %s, which has %" PRId64, trial->workload.name,
                     trial->place, op->args[trial->outside].name, op_elements_of(op, &trial->workload, trial->outside));
}

static double value_of(const struct reference *r, int64_t element)
{
    return r->exact ? element_value(r->type, r->exact, element) : r->value[element];
}

/* What is made of a seed is all elements, always the same, and no more than these. */
static bool is_made_alike(const struct trial *trial, size_t input, bool *varies, struct error *error)
{
    const struct op_arg *arg = &trial->op->args[input];
    const int64_t count = op_elements_of(trial->op, &trial->workload, input);
    const size_t bytes = (size_t)count * element_bytes(arg->type);
    unsigned char *made = memory_get(bytes + 1, 1), *again = memory_get(bytes + 1, 1);
    memset(again, UINT8_MAX, bytes + 1);
    arg->make(trial->workload.size, 42, count, made);
    arg->make(trial->workload.size, 42, count, again);
    const bool ok = memcmp(made, again, bytes) == 0 && made[bytes] == 0 && again[bytes] == UINT8_MAX;
    arg->make(trial->workload.size, 43, count, again);
    *varies = *varies || memcmp(made, again, bytes) != 0;
    free(made);
    free(again);
    return ok || error_set(error,
                           "at size %s: .make of %s differs from call to call, expected all elements, the same of the "
                           "same seed, and nothing after them",
                           trial->workload.name, arg->name);
}

/* An answer that says nothing is wrong, unless zeros are right. */
static bool are_zeros_wrong(const struct trial *trial, const struct reference *r, struct error *error)
{
    const int64_t elements = r->rows * r->columns;
    struct check check;
    bool are_right = true;
    for (int64_t i = 0; i < elements; i++) {
        are_right = are_right && value_of(r, i) == 0;
        element_set(r->type, trial->host[r->output], i, 0);
    }
    op_check(r, PRECISION_FP32, trial->host, &check);
    return are_right || !check.correct ||
           error_set(error, "at size %s: zeros everywhere would be right, expected smaller bounds",
                     trial->workload.name);
}

/* A rung's answer as it should be: of sums added in FP32, one after the other, else the right one, rounded. So are sums
 * of integers in integers. */
static void answer(const struct trial *trial, const struct reference *r)
{
    for (int64_t i = 0; i < r->rows * r->columns; i++) {
        double value = value_of(r, i);
        if (r->is_sum && !element_is_integer(r->type)) {
            const float *x = r->memory[r->sums.input[0]], *y = r->memory[r->sums.input[r->sums.factors - 1]];
            struct walk walk = sums_walk(&r->sums, i);
            float sum = 0;
            do
                sum += x[walk.at[1]] * (r->sums.factors > 1 ? y[walk.at[2]] : 1);
            while (sums_next(&r->sums, &walk));
            value = (double)sum;
        }
        element_set(r->type, trial->host[r->output], i, value);
    }
}

static bool is_held(enum element_type type, double value)
{
    uint64_t memory = 0;
    if (element_is_integer(type) && !(value >= INT32_MIN && value <= INT32_MAX))
        return false;
    element_set(type, &memory, 0, value);
    return element_value(type, &memory, 0) == value;
}

/* Element by element, as questions ask, it is what all at once are. */
static bool is_alike(const struct trial *trial, const struct reference *r, struct error *error)
{
    const int64_t elements = r->rows * r->columns, step = elements / 97 + 1;
    const char *size = trial->workload.name;
    for (int64_t i = elements - 1; i >= 0 && !r->is_sum; i -= step) {
        const double value = value_of(r, i);
        struct exact exact;
        if (!op_element(trial->op, &trial->workload, trial->made, r->output, i, PRECISION_FP32, &exact))
            return error_set(error, "at size %s: .compute failed", size);
        if (isnan(exact.bound) && !isnan(exact.value))
            return error_set(error, "at size %s: .compute sets no bound of element %" PRId64, size, i);
        if (r->exact && !is_held(r->type, exact.value))
            return error_set(error, "at size %s: element %" PRId64 " is %.17g, which is rounded: expected no .is_exact",
                             size, i, exact.value);
        if (exact.value != value && !(isnan(exact.value) && isnan(value)))
            return error_set(error,
                             "at size %s: element %" PRId64 " is %.9g alone and %.9g among all: .piece is \"%s\", "
                             "expected the elements that are computed together",
                             size, i, exact.value, value, trial->op->piece ? trial->op->piece : "NULL");
    }
    return true;
}

static bool check_trial(struct trial *trial, enum input_kind kind, struct error *error)
{
    const struct input_source source = {.seed = 42, .kind = kind};
    struct input_note note;
    struct check check;
    op_made(trial->op, &trial->workload, &source, trial->made, &note);
    if (kind == INPUT_RANDOM && !reads_inside(trial, error))
        return false;
    op_fill(trial->op, &trial->workload, &source, trial->host, &note);
    struct reference *r = op_reference_make(trial->op, &trial->workload, &note, trial->host);
    if (!r)
        return error_set(error, "at size %s: .compute failed", trial->workload.name);
    for (const struct reference *of = r; of; of = of->next)
        answer(trial, of);
    op_check(r, PRECISION_FP32, trial->host, &check);
    bool ok = true;
    for (struct reference *of = r; ok && of && kind == INPUT_RANDOM; of = of->next)
        ok = is_alike(trial, of, error) && are_zeros_wrong(trial, of, error);
    op_reference_free(r);
    return ok &&
           (check.correct || error_set(error, "at size %s, input %s: bounds leave no room for an honest answer: %s",
                                       trial->workload.name, input_kind_names[kind], check.reason));
}

bool op_check_answers(const struct op *op, FILE *to, struct error *error)
{
    bool ok = true, varies = false;
    for (size_t i = 0; i < op_output(op); i++)
        varies = varies || !op->args[i].make;
    for (size_t i = 0; ok && i < op->ragged_count; i++) {
        struct trial trial = {.op = op, .workload = op_ragged(op, i)};
        const struct op_cost cost = op_cost(op, &trial.workload);
        struct buffer_spec specs[OP_BUFFERS_MAX];
        const size_t count = op_buffers(op, &trial.workload, specs);
        for (size_t b = 0; b < count; b++)
            trial.host[b] = memory_get(1, specs[b].bytes);
        for (size_t arg = 0; ok && arg < op_output(op); arg++)
            ok = !op->args[arg].make || is_made_alike(&trial, arg, &varies, error);
        for (int kind = 0; ok && kind < INPUT_KINDS; kind++)
            ok = check_trial(&trial, (enum input_kind)kind, error);
        for (size_t b = 0; b < count; b++)
            free(trial.host[b]);
        if (ok)
            fprintf(to, "%s/%s: %.3g operations, %.3g bytes; %" PRId64 " elements as an honest FP32 answer has them\n",
                    op->name, trial.workload.name, cost.flops, cost.bytes, op_elements(op, &trial.workload));
    }
    return ok && (varies || error_set(error, "inputs are the same for all seeds, expected another question for each"));
}
