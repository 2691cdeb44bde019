/* What follows from the description of an operation without looking at numbers: extents, buffers, names, costs. */
#include "bench/table/op.h"

#include "sums.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* An extent being read, for the sizes of a workload. Doubles hold all that a problem may have. */
struct expression {
    const char *at;
    const char *names;
    const int64_t *size;
    bool is_wrong; /* what stands there is no expression of the names */
};

static double read_sum(struct expression *in);

int op_find_name(const char *names, const char *name, size_t length)
{
    int number = 0;
    for (const char *at = names; *at; at = op_name_after(at), number++)
        if (strcspn(at, " ") == length && strncasecmp(at, name, length) == 0)
            return number;
    return -1;
}

void op_member(const struct op_arg *arg, char member[OP_MEMBER_BYTES])
{
    size_t length = 0;
    for (; length < OP_MEMBER_BYTES - 1 && arg->name[length]; length++)
        member[length] = (char)tolower((unsigned char)arg->name[length]);
    member[length] = '\0';
}

/* The value of a name: sizes have the order of the names. */
static double read_name(struct expression *in)
{
    const size_t length = strspn(in->at, "abcdefghijklmnopqrstuvwxyz_");
    const int number = op_find_name(in->names, in->at, length);
    in->at += length;
    in->is_wrong = in->is_wrong || number < 0;
    return number < 0 ? NAN : (double)in->size[number];
}

static double read_factor(struct expression *in)
{
    if (isdigit((unsigned char)*in->at)) {
        char *end;
        const double value = (double)strtoll(in->at, &end, 10);
        in->at = end;
        return value;
    }
    if (*in->at != '(')
        return read_name(in);
    in->at++;
    const double value = read_sum(in);
    in->is_wrong = in->is_wrong || *in->at != ')';
    in->at += *in->at == ')';
    return value;
}

/* Quotients are rounded down; those by 0 are no number. */
static double read_product(struct expression *in)
{
    double value = read_factor(in);
    while (*in->at == '*' || *in->at == '/') {
        const bool divides = *in->at++ == '/';
        const double factor = read_factor(in);
        value = !divides ? value * factor : factor == 0 ? NAN : floor(value / factor);
    }
    return value;
}

static double read_sum(struct expression *in)
{
    const bool is_negative = *in->at == '-';
    in->at += is_negative;
    double value = is_negative ? -read_product(in) : read_product(in);
    while (*in->at == '+' || *in->at == '-') {
        const double sign = *in->at++ == '+' ? 1 : -1;
        value += sign * read_product(in);
    }
    return value;
}

static size_t count_sizes(const struct op *op)
{
    size_t count = 0;
    for (const char *at = op->sizes; *at; at = op_name_after(at))
        count++;
    return count;
}

/* Returns how many there are, or -1. Of those of an operation with words, the last size chooses. */
static int read_extents(const struct op *op, const struct workload *workload, const char *text,
                        double extent[OP_RANK_MAX])
{
    struct expression in = {text, op->sizes, workload->size, false};
    int rank = 0;
    for (int64_t word = 1; strchr(in.at, '|') && word < workload->size[count_sizes(op) - 1]; word++)
        in.at = strchr(in.at, '|') + 1;
    do
        extent[rank++] = read_sum(&in);
    while (rank < OP_RANK_MAX && *in.at == ',' && *++in.at);
    return in.is_wrong || (*in.at != '\0' && *in.at != '|') ? -1 : rank;
}

int op_rank(const struct op *op, const char *extents)
{
    static const struct workload none = {0};
    double extent[OP_RANK_MAX];
    return strchr(extents, '|') && !op->words ? -1 : read_extents(op, &none, extents, extent);
}

double op_value(const struct op *op, const struct workload *workload, const char *expression)
{
    double value[OP_RANK_MAX];
    (void)read_extents(op, workload, expression, value);
    return value[0];
}

/* "m=k=n" or "batch=1": the sizes are the smallest of them, or the number. */
static void fit_one(const struct op *op, const char *constraint, size_t length, struct workload *workload)
{
    int64_t value = INT64_MAX;
    for (int pass = 0; pass < 2; pass++)
        for (const char *name = constraint; name < constraint + length; name += strcspn(name, "=,") + 1) {
            const int size = op_find_name(op->sizes, name, strcspn(name, "=,"));
            const int64_t is = size < 0 ? atoll(name) : workload->size[size];
            if (pass == 1 && size >= 0)
                workload->size[size] = value;
            value = pass == 0 && (is < value || size < 0) ? is : value;
        }
}

void op_fit(const struct op *op, const char *only, struct workload *workload)
{
    for (size_t length; (length = strcspn(only, ",")) > 0; only += length + (only[length] == ','))
        fit_one(op, only, length, workload);
}

bool op_fits(const struct op *op, const char *only, const struct workload *workload)
{
    struct workload fitted = *workload;
    op_fit(op, only ? only : "", &fitted);
    return memcmp(fitted.size, workload->size, sizeof fitted.size) == 0;
}

int op_extents(const struct op *op, const struct workload *workload, size_t arg, int64_t extent[OP_RANK_MAX])
{
    double read[OP_RANK_MAX];
    const int rank = read_extents(op, workload, op->args[arg].extents, read);
    for (int i = 0; i < rank; i++)
        extent[i] = isnan(read[i]) ? 0 : (int64_t)read[i];
    return rank;
}

static double bytes_of(const struct op *op, const struct workload *workload, size_t arg)
{
    double extent[OP_RANK_MAX], bytes = (double)element_bytes(op->args[arg].type);
    const int rank = read_extents(op, workload, op->args[arg].extents, extent);
    for (int i = 0; i < rank; i++)
        bytes *= extent[i];
    return bytes;
}

size_t op_buffers(const struct op *op, const struct workload *workload, struct buffer_spec specs[OP_BUFFERS_MAX])
{
    size_t count = 0;
    for (; op->args[count].name; count++)
        specs[count] = (struct buffer_spec){(size_t)bytes_of(op, workload, count), op->args[count].is_output,
                                            op->args[count].type};
    return count;
}

int64_t op_elements_of(const struct op *op, const struct workload *workload, size_t arg)
{
    return (int64_t)bytes_of(op, workload, arg) / (int64_t)element_bytes(op->args[arg].type);
}

int64_t op_elements(const struct op *op, const struct workload *workload)
{
    return op_elements_of(op, workload, op_output(op));
}

int64_t op_end(const struct op *op, const struct workload *workload)
{
    enum { ROWS = 4 };
    int64_t extent[OP_RANK_MAX];
    const int rank = op_extents(op, workload, op_output(op), extent);
    const int64_t of_rows = ROWS * extent[rank - 1], most = op->far_end > 0 ? op->far_end : OP_END_MAX;
    const int64_t end = of_rows < most ? of_rows : most, elements = op_elements(op, workload);
    return elements < end ? elements : end;
}

size_t op_beginning(const struct op *op)
{
    const char *name = op->args[op_args_end(op) - 1].begins_as;
    size_t i = 0;
    while (name && op->args[i].name && strcmp(op->args[i].name, name) != 0)
        i++;
    return name && op->args[i].name ? i : OP_BUFFERS_MAX;
}

size_t op_element_bytes(const struct op *op)
{
    size_t bytes = element_bytes(op->args[0].type);
    for (const struct op_arg *arg = op->args; arg->name; arg++)
        if (element_bytes(arg->type) < bytes)
            bytes = element_bytes(arg->type);
    return bytes;
}

struct op_cost op_cost(const struct op *op, const struct workload *workload)
{
    struct op_cost cost = {.message_bytes = NAN, .passed_bytes = NAN};
    struct sums sums;
    for (size_t i = 0; op->args[i].name; i++)
        cost.bytes += bytes_of(op, workload, i);
    if (op->operations)
        cost.flops = op_value(op, workload, op->operations);
    else if (sums_of(op, workload, &sums))
        cost.flops = (double)sums.elements * (double)(sums.factors > 1 ? 2 * sums.terms : sums.terms - 1);
    if (op->message) {
        cost.message_bytes = op_value(op, workload, op->message);
        cost.passed_bytes = cost.message_bytes * op_value(op, workload, op->passed) / (double)workload->size[0];
    }
    return cost;
}

double op_work(const struct op *op, const struct workload *workload)
{
    const struct op_cost cost = op_cost(op, workload);
    return cost.flops + cost.bytes;
}

/* What a problem has before its pointers; returns how many there are. */
static size_t read_members(const struct op *op, const struct workload *workload, int64_t member[OP_SIZES_MAX])
{
    double value[OP_RANK_MAX];
    const int count = op->members ? read_extents(op, workload, op->member_values, value) : 0;
    if (!op->members)
        memcpy(member, workload->size, sizeof workload->size);
    for (int i = 0; i < count; i++)
        member[i] = (int64_t)value[i];
    return op->members ? (size_t)count : count_sizes(op);
}

size_t op_bind(const struct op *op, const struct workload *workload, void *const memory[], void *problem)
{
    int64_t member[OP_SIZES_MAX];
    unsigned char *to = problem;
    const size_t count = read_members(op, workload, member), size = op->has_int_sizes ? sizeof(int) : sizeof member[0];
    for (size_t i = 0; i < count; i++, to += size) {
        const int as_int = (int)member[i];
        memcpy(to, op->has_int_sizes ? (const void *)&as_int : &member[i], size);
    }
    for (size_t i = 0; op->args[i].name; i++) {
        if (i == op_beginning(op))
            continue;
        memcpy(to, &memory[i], sizeof memory[i]);
        to += sizeof memory[i];
    }
    assert(op->problem_bytes == 0 || to == (unsigned char *)problem + op->problem_bytes);
    return (size_t)(to - (unsigned char *)problem);
}

void op_unbind(const struct op *op, const void *problem, struct workload *workload, void *memory[OP_BUFFERS_MAX])
{
    const unsigned char *from = problem;
    const size_t count = count_sizes(op), size = op->has_int_sizes ? sizeof(int) : sizeof workload->size[0];
    *workload = (struct workload){0};
    for (size_t i = 0; i < count; i++, from += size) {
        int as_int;
        memcpy(&as_int, from, sizeof as_int);
        memcpy(&workload->size[i], from, size);
        if (op->has_int_sizes)
            workload->size[i] = as_int;
    }
    for (size_t i = 0; op->args[i].name; i++) {
        if (i == op_beginning(op))
            continue;
        memcpy(&memory[i], from, sizeof memory[i]);
        from += sizeof memory[i];
    }
}

void op_shape(const struct op *op, const struct workload *workload, char *text, size_t size)
{
    const size_t count = count_sizes(op), first = op->is_batched && workload->size[0] == 1;
    int used = 0;
    for (size_t i = first; i < count; i++) {
        used += snprintf(text + used, size - (size_t)used, "%s", i > first ? "x" : "");
        used += op->words && i + 1 == count
                    ? snprintf(text + used, size - (size_t)used, "%s", op->words[workload->size[i] - 1])
                    : snprintf(text + used, size - (size_t)used, "%" PRId64, workload->size[i]);
    }
}

static struct workload of_sizes(const struct op *op, const int64_t size[OP_SIZES_MAX])
{
    struct workload workload = {0};
    memcpy(workload.size, size, sizeof workload.size);
    op_shape(op, &workload, workload.name, sizeof workload.name);
    return workload;
}

struct workload op_ragged(const struct op *op, size_t number)
{
    return of_sizes(op, op->ragged[number]);
}

struct workload op_far(const struct op *op, size_t number)
{
    return of_sizes(op, op->far[number]);
}

static bool are_sizes_right(const struct op *op, const struct workload *workload, struct error *error)
{
    size_t sizes = 0;
    for (const char *at = op->sizes; *at; at = op_name_after(at), sizes++)
        if (workload->size[sizes] < 1 || workload->size[sizes] > OP_SIZE_LIMIT)
            return error_set(error, "size %zu is %" PRId64 ", expected 1 to %d", sizes + 1, workload->size[sizes],
                             OP_SIZE_LIMIT);
    return sizes == OP_SIZES_MAX || workload->size[sizes] == 0 ||
           error_set(error, "there are more sizes than \"%s\"", op->sizes);
}

static bool is_arg_right(const struct op *op, const struct workload *workload, size_t arg, double elements,
                         struct error *error)
{
    const struct op_arg *of = &op->args[arg];
    if (of->fan_in && !(op_value(op, workload, of->fan_in) > 0))
        return error_set(error, "%s: .fan_in is %g there, expected more than 0", of->name,
                         op_value(op, workload, of->fan_in));
    if (!of->from)
        return true;
    const double from = op_value(op, workload, of->from), to = op_value(op, workload, of->to);
    if (!(from >= INT32_MIN && to <= INT32_MAX && (of->order == ORDER_SORTED ? to >= from : to > from)))
        return error_set(error, "%s is from %g up to %g, expected a range of 32 bits that is not empty", of->name, from,
                         to);
    return of->order != ORDER_PERMUTED || to - from == elements ||
           error_set(error, "%s permutes %g numbers in %g elements, expected as many of both", of->name, to - from,
                     elements);
}

static bool are_extents_right(const struct op *op, const struct workload *workload, struct error *error)
{
    for (size_t i = 0; op->args[i].name; i++) {
        int64_t extent[OP_RANK_MAX];
        const int rank = op_extents(op, workload, i, extent);
        double elements = 1;
        for (int d = 0; d < rank; d++) {
            if (extent[d] < 1)
                return error_set(error, "the extents \"%s\" of %s are %" PRId64 " there, expected at least 1",
                                 op->args[i].extents, op->args[i].name, extent[d]);
            elements *= (double)extent[d];
        }
        if (!is_arg_right(op, workload, i, elements, error))
            return false;
    }
    return true;
}

bool op_takes(const struct op *op, const struct workload *workload, struct error *error)
{
    const double bytes_max = 0x1p50; /* far more than any memory, and 64 bits hold it */
    struct sums sums;
    if (!are_sizes_right(op, workload, error) || (op->accepts && !op->accepts(workload, error)) ||
        !are_extents_right(op, workload, error))
        return false;
    const double bytes = op_cost(op, workload).bytes;
    if (bytes > bytes_max)
        return error_set(error, "arrays of %.3g bytes, expected at most %.3g", bytes, bytes_max);
    if (sums_of(op, workload, &sums) && sums.uneven)
        return error_set(error, "%c has different extents in \"%s\", expected the same wherever it stands alone",
                         sums.uneven, op->formula);
    if (op->operations && !(op_value(op, workload, op->operations) >= 0))
        return error_set(error, ".operations are %g there, expected at least 0",
                         op_value(op, workload, op->operations));
    return !op->piece || op_value(op, workload, op->piece) >= 1 ||
           error_set(error, ".piece is %g there, expected at least 1", op_value(op, workload, op->piece));
}
