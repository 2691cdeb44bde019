/* The functions of struct op that every product has: matmul and its gradients. An operation includes this after it has
 * said what is what in its product C = A B:
 *
 *   enum { ROWS, COLUMNS, TERMS };       which of the sizes M, K and N of a workload are C's rows and columns, and the
 *                                        number of products that each element sums
 *   enum { A_TRANSPOSED, B_TRANSPOSED }; as in struct matmul_product
 *   enum { A_MAY_BE_IMAGES };            real ones, if given
 *   ANSWER                               the name of C
 *   FLAG                                 the flag that adds a workload
 *
 * Its buffers are A, B and C, in this order. */
#pragma once

#include "bench/table/op.h"
#include "matmul_check.h"
#include "matmul_input.h"
#include "matmul_product.h"
#include "matmul_reference.h"

#include <inttypes.h>
#include <stdio.h>

enum { A, B, C, BUFFERS };

static struct matmul_product product_of(const struct workload *workload)
{
    const int64_t *size = workload->size;
    return (struct matmul_product){size[ROWS], size[COLUMNS], size[TERMS], A_TRANSPOSED, B_TRANSPOSED, ANSWER};
}

static void shape(const struct workload *workload, char *text, size_t size)
{
    const int64_t *of = workload->size;
    snprintf(text, size, "%" PRId64 "x%" PRId64 "x%" PRId64, of[0], of[1], of[2]);
}

/* For the operation's flag. */
static bool set_sizes(const char *value, struct workload *workload, bool *added, struct error *error)
{
    if (!op_parse_sizes(value, 3, workload->size))
        return error_set(error, "--" FLAG "=%s: expected MxKxN, three integers from 1 to %d", value, OP_SIZE_LIMIT);
    shape(workload, workload->name, sizeof workload->name);
    *added = true;
    return true;
}

static struct op_cost cost(const struct workload *workload)
{
    double m = (double)workload->size[0], k = (double)workload->size[1], n = (double)workload->size[2];
    return (struct op_cost){.flops = 2 * m * n * k, .bytes = sizeof(float) * (m * k + k * n + m * n)};
}

static size_t float_bytes(int64_t rows, int64_t columns)
{
    return (size_t)rows * (size_t)columns * sizeof(float);
}

static size_t buffers(const struct workload *workload, struct buffer_spec specs[OP_BUFFERS_MAX])
{
    const struct matmul_product p = product_of(workload);
    specs[A] = (struct buffer_spec){float_bytes(p.m, p.k), false};
    specs[B] = (struct buffer_spec){float_bytes(p.k, p.n), false};
    specs[C] = (struct buffer_spec){float_bytes(p.m, p.n), true};
    return BUFFERS;
}

/* A part of a matrix of `rows` rows, the last `part_rows` and `part_columns` of it, as it lies. */
static struct window end_window(int64_t rows, int64_t columns, int64_t part_rows, int64_t part_columns, bool transposed)
{
    if (transposed)
        return end_window(columns, rows, part_columns, part_rows, false);
    int64_t first = (rows - part_rows) * columns + columns - part_columns;
    return (struct window){(size_t)first * sizeof(float), (size_t)part_rows, (size_t)part_columns * sizeof(float),
                           (size_t)columns * sizeof(float)};
}

/* The last columns of the last row of C take the last row of A and the last columns of B. */
static void far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX])
{
    const struct matmul_product p = product_of(workload);
    const int64_t columns = p.n < 4 ? p.n : 4;
    *end = (struct workload){.name = "its end"};
    end->size[ROWS] = 1;
    end->size[COLUMNS] = columns;
    end->size[TERMS] = p.k;
    windows[A] = end_window(p.m, p.k, 1, p.k, A_TRANSPOSED);
    windows[B] = end_window(p.k, p.n, p.k, columns, B_TRANSPOSED);
    windows[C] = end_window(p.m, p.n, 1, columns, false);
}

static void fill(const struct workload *workload, const struct input_source *source, void *const host[],
                 struct input_note *note)
{
    const struct matmul_product product = product_of(workload);
    struct input_source taken = *source;
    taken.mnist = A_MAY_BE_IMAGES ? source->mnist : NULL;
    matmul_input_fill(&product, &taken, host[A], host[B], note);
}

static size_t reference_bytes(const struct workload *workload)
{
    const struct matmul_product product = product_of(workload);
    return matmul_reference_bytes(&product);
}

static void *reference_make(const struct workload *workload, const struct input_note *note, void *const host[])
{
    const struct matmul_product product = product_of(workload);
    return matmul_reference_make(&product, host[A], host[B], note);
}

static void reference_free(void *reference)
{
    matmul_reference_free(reference);
}

static void check(const void *reference, enum precision precision, void *const outputs[], struct check *result)
{
    matmul_check(reference, precision, outputs[C], result);
}

static void question(const struct workload *workload, const struct input_source *source,
                     struct made made[OP_BUFFERS_MAX], struct input_note *note)
{
    const struct matmul_product product = product_of(workload);
    struct input_source taken = *source;
    taken.mnist = A_MAY_BE_IMAGES ? source->mnist : NULL;
    matmul_input_question(&product, &taken, &made[A], &made[B], note);
}

static bool element(const struct workload *workload, const struct made made[OP_BUFFERS_MAX], size_t buffer,
                    int64_t number, enum precision precision, struct exact *exact)
{
    (void)buffer; /* C is the only output */
    const struct matmul_product product = product_of(workload);
    matmul_element(&product, &made[A], &made[B], number, precision, exact);
    return true;
}

static double element_reads(const struct workload *workload)
{
    return 2 * (double)workload->size[TERMS];
}

static double rms_limit(const struct workload *workload, enum precision precision, int64_t elements)
{
    const struct matmul_product product = product_of(workload);
    return matmul_rms_limit_of_elements(&product, precision, elements);
}

/* These functions, for the initializer of a struct op. */
#define PRODUCT_FUNCTIONS                                                                                   \
    .element_bytes = sizeof(float), .shape = shape, .cost = cost, .buffers = buffers, .fill = fill,         \
    .reference_bytes = reference_bytes, .reference_make = reference_make, .reference_free = reference_free, \
    .check = check, .question = question, .element = element, .element_reads = element_reads, .rms_limit = rms_limit
