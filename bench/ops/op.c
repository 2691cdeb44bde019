/* What follows from the description of an operation without looking at numbers: extents, buffers, names, costs. */
#include "bench/table/op.h"

#include "sums.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An extent being read, for the sizes of a workload. Doubles hold all that a problem may have. */
struct expression {
    const char *at;
    const char *names;
    const int64_t *size;
    bool is_wrong; /* what stands there is no expression of the names */
};

static double read_sum(struct expression *in);

/* The value of a name: sizes have the order of the names. */
static double read_name(struct expression *in)
{
    const size_t length = strspn(in->at, "abcdefghijklmnopqrstuvwxyz_");
    const char *name = in->names;
    for (size_t i = 0; *name; i++) {
        const size_t end = strcspn(name, " ");
        if (end == length && memcmp(name, in->at, length) == 0) {
            in->at += length;
            return (double)in->size[i];
        }
        name += end + strspn(name + end, " ");
    }
    in->is_wrong = true;
    return NAN;
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

static double read_product(struct expression *in)
{
    double value = read_factor(in);
    while (*in->at == '*') {
        in->at++;
        value *= read_factor(in);
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

static size_t count_letters(const char *text, char letter)
{
    size_t count = 0;
    for (; *text; text++)
        count += *text == letter;
    return count;
}

static size_t count_sizes(const struct op *op)
{
    return count_letters(op->sizes, ' ') + 1;
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
    return read_extents(op, &none, extents, extent);
}

double op_value(const struct op *op, const struct workload *workload, const char *expression)
{
    double value[OP_RANK_MAX];
    (void)read_extents(op, workload, expression, value);
    return value[0];
}

int op_extents(const struct op *op, const struct workload *workload, size_t arg, int64_t extent[OP_RANK_MAX])
{
    double read[OP_RANK_MAX];
    const int rank = read_extents(op, workload, op->args[arg].extents, read);
    for (int i = 0; i < rank; i++)
        extent[i] = (int64_t)read[i];
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

int64_t op_elements(const struct op *op, const struct workload *workload)
{
    const size_t output = op_output(op);
    return (int64_t)bytes_of(op, workload, output) / (int64_t)element_bytes(op->args[output].type);
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
    const char *name = op->args[op_output(op)].begins_as;
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
    struct op_cost cost = {0};
    struct sums sums;
    for (size_t i = 0; op->args[i].name; i++)
        cost.bytes += bytes_of(op, workload, i);
    if (op->operations)
        cost.flops = op_value(op, workload, op->operations);
    else if (sums_of(op, workload, &sums))
        cost.flops = (double)sums.elements * (double)(sums.factors > 1 ? 2 * sums.terms : sums.terms - 1);
    return cost;
}

double op_work(const struct op *op, const struct workload *workload)
{
    const struct op_cost cost = op_cost(op, workload);
    return cost.flops + cost.bytes;
}

void op_bind(const struct op *op, const struct workload *workload, void *const memory[], void *problem)
{
    int64_t *sizes = problem;
    if (op->bind) {
        op->bind(workload, memory, problem);
        return;
    }
    for (size_t i = 0; i < OP_SIZES_MAX && workload->size[i] > 0; i++)
        *sizes++ = workload->size[i];
    for (size_t i = 0; op->args[i].name; i++)
        if (i != op_beginning(op))
            memcpy(sizes++, &memory[i], sizeof memory[i]);
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

static bool read_size(const struct op *op, const char *text, bool is_last, int64_t *size)
{
    char *end;
    for (int64_t word = 0; op->words && is_last && op->words[word]; word++)
        if (strcmp(text, op->words[word]) == 0) {
            *size = word + 1;
            return true;
        }
    errno = 0;
    *size = isdigit((unsigned char)*text) && !(op->words && is_last) ? strtoll(text, &end, 10) : 0;
    return errno == 0 && *size >= 1 && *size <= OP_SIZE_LIMIT && *end == '\0';
}

/* Sizes such as 5x784x10: integers from 1 to OP_SIZE_LIMIT, separated by x, and perhaps a word. */
static bool read_sizes(const struct op *op, const char *value, int64_t *sizes)
{
    const size_t count = count_sizes(op), first = op->is_batched && count_letters(value, 'x') + 2 == count;
    sizes[0] = 1;
    for (size_t i = first; i < count; i++) {
        char text[48];
        const bool is_last = i + 1 == count;
        const size_t length = is_last ? strlen(value) : strcspn(value, "x");
        if (length >= sizeof text || value[length] != (is_last ? '\0' : 'x'))
            return false;
        snprintf(text, sizeof text, "%.*s", (int)length, value);
        if (!read_size(op, text, is_last, &sizes[i]))
            return false;
        value += length + 1;
    }
    return true;
}

/* A workload of a user's sizes. */
static bool set_sizes(const struct op *op, const struct op_flag *flag, const char *value, struct workload *workload,
                      struct error *error)
{
    const double bytes_max = 0x1p50; /* far more than any memory, and 64 bits hold it */
    struct error reason;
    double bytes = 0;
    if (!read_sizes(op, value, workload->size))
        return error_set(error, "--%s=%s: expected %s, integers from 1 to %d", flag->name, value, flag->syntax,
                         OP_SIZE_LIMIT);
    if (op->accepts && !op->accepts(workload, &reason))
        return error_set(error, "--%s=%s: %s", flag->name, value, reason.text);
    for (size_t i = 0; op->args[i].name; i++)
        bytes += bytes_of(op, workload, i);
    if (bytes > bytes_max)
        return error_set(error, "--%s=%s: arrays of %.3g bytes, expected at most %.3g", flag->name, value, bytes,
                         bytes_max);
    op_shape(op, workload, workload->name, sizeof workload->name);
    return true;
}

bool op_set_flag(const struct op *op, const struct op_flag *flag, const char *value, struct workload *workload,
                 bool *added, struct error *error)
{
    if (flag->set)
        return flag->set(value, workload, added, error);
    *added = set_sizes(op, flag, value, workload, error);
    return *added;
}
