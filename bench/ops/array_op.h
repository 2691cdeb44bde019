/* The functions of struct op that every operation on arrays has (array_rule.h), made of its rule. Left to the
 * operation: the rule, workloads, ragged and far sizes, bind(), and far_end() if it has far sizes. */
#pragma once

#include "array_rule.h"

#include <inttypes.h>
#include <stdio.h>

static const struct array_rule rule;

/* The number of sizes that the flag takes: letters in "MxN". */
static int count_sizes(void)
{
    int count = 1;
    for (const char *c = rule.flag.syntax; *c; c++)
        count += *c == 'x';
    return count;
}

static void shape(const struct workload *workload, char *text, size_t size)
{
    const int count = count_sizes();
    int used = 0;
    for (int i = 0; i < count; i++) {
        used += snprintf(text + used, size - (size_t)used, "%s", i > 0 ? "x" : "");
        used += rule.words && i + 1 == count
                    ? snprintf(text + used, size - (size_t)used, "%s", rule.words[workload->size[i] - 1])
                    : snprintf(text + used, size - (size_t)used, "%" PRId64, workload->size[i]);
    }
}

static bool parse_sizes(const char *value, int64_t *sizes)
{
    const char *given = strrchr(value, 'x');
    char numbers[96];
    if (!rule.words)
        return op_parse_sizes(value, (size_t)count_sizes(), sizes);
    for (int i = 0; given && rule.words[i]; i++)
        if (strcmp(given + 1, rule.words[i]) == 0)
            return snprintf(numbers, sizeof numbers, "%.*sx%d", (int)(given - value), value, i + 1) <
                       (int)sizeof numbers &&
                   op_parse_sizes(numbers, (size_t)count_sizes(), sizes);
    return false;
}

static double bytes_of(const struct workload *workload)
{
    struct array_shape of[OP_BUFFERS_MAX];
    size_t arrays = rule.shapes(workload, of);
    double bytes = 0;
    for (size_t i = 0; i < arrays; i++) {
        double elements = 1;
        for (int d = 0; d < of[i].rank; d++)
            elements *= (double)of[i].size[d];
        bytes += elements * sizeof(float);
    }
    return bytes;
}

/* For the operation's flag. */
static bool set_sizes(const char *value, struct workload *workload, bool *added, struct error *error)
{
    const double bytes_max = 0x1p50; /* far more than any memory, and 64 bits hold it */
    if (!parse_sizes(value, workload->size))
        return error_set(error, "--%s=%s: expected %s, integers from 1 to %d", rule.flag.name, value,
                         rule.sizes ? rule.sizes : rule.flag.syntax, OP_SIZE_LIMIT);
    if (bytes_of(workload) > bytes_max)
        return error_set(error, "--%s=%s: arrays of %.3g bytes, expected at most %.3g", rule.flag.name, value,
                         bytes_of(workload), bytes_max);
    shape(workload, workload->name, sizeof workload->name);
    *added = true;
    return true;
}

static struct op_cost cost(const struct workload *workload)
{
    return (struct op_cost){.flops = array_flops(&rule, workload), .bytes = bytes_of(workload)};
}

static size_t buffers(const struct workload *workload, struct buffer_spec specs[OP_BUFFERS_MAX])
{
    struct array_shape of[OP_BUFFERS_MAX];
    size_t arrays = rule.shapes(workload, of);
    for (size_t i = 0; i < arrays; i++)
        specs[i] = (struct buffer_spec){(size_t)array_elements(&of[i]) * sizeof(float), i + 1 == arrays};
    return arrays;
}

static inline void fill(const struct workload *workload, const struct input_source *source, void *const host[],
                        struct input_note *note)
{
    array_input_fill(&rule, workload, source, host, note);
}

static inline size_t reference_bytes(const struct workload *workload)
{
    return array_reference_bytes(&rule, workload);
}

static inline void *reference_make(const struct workload *workload, const struct input_note *note, void *const host[])
{
    (void)note;
    return array_reference_make(&rule, workload, host);
}

static void question(const struct workload *workload, const struct input_source *source,
                     struct made made[OP_BUFFERS_MAX], struct input_note *note)
{
    array_input_question(&rule, workload, source, made, note);
}

static bool element(const struct workload *workload, const struct made made[OP_BUFFERS_MAX], size_t buffer,
                    int64_t number, enum precision precision, struct exact *exact)
{
    (void)buffer; /* there is one output */
    return array_element(&rule, workload, made, number, precision, exact);
}

static double element_reads(const struct workload *workload)
{
    return array_element_reads(&rule, workload);
}

/* The last `count` elements of an array of `elements`, for far_end(). */
static inline struct window array_end(int64_t elements, int64_t count)
{
    return (struct window){(size_t)(elements - count) * sizeof(float), 1, (size_t)count * sizeof(float), 0};
}

/* The last `last_rows` x `last_columns` of an array seen as `rows` x `columns`, for far_end(). */
static inline struct window array_corner(int64_t rows, int64_t columns, int64_t last_rows, int64_t last_columns)
{
    const int64_t first = (rows - last_rows) * columns + columns - last_columns;
    return (struct window){(size_t)first * sizeof(float), (size_t)last_rows, (size_t)last_columns * sizeof(float),
                           (size_t)columns * sizeof(float)};
}

/* A workload of no suite, which its sizes name. */
#define SIZES_1(a) .name = #a, .size = {a}
#define SIZES_2(a, b) .name = #a "x" #b, .size = {a, b}
#define SIZES_3(a, b, c) .name = #a "x" #b "x" #c, .size = {a, b, c}
#define SIZES_4(a, b, c, d) .name = #a "x" #b "x" #c "x" #d, .size = {a, b, c, d}
#define SIZES_6(a, b, c, d, e, f) .name = #a "x" #b "x" #c "x" #d "x" #e "x" #f, .size = {a, b, c, d, e, f}

/* These functions, for the initializer of a struct op: ARRAY_FORM where input and reference are its own. */
#define ARRAY_FORM                                                                                      \
    .flags = &rule.flag, .flag_count = 1, .element_bytes = sizeof(float), .shape = shape, .cost = cost, \
    .buffers = buffers, .question = question, .element = element, .element_reads = element_reads
#define ARRAY_FUNCTIONS                                                                             \
    ARRAY_FORM, .fill = fill, .reference_bytes = reference_bytes, .reference_make = reference_make, \
                .reference_free = array_reference_free, .check = array_check
