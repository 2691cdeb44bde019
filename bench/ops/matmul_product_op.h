/* The functions of struct op that every product has: matmul and its gradients. An operation includes this after it has
 * said what is what in its product C = A B:
 *
 *   enum { ROWS, COLUMNS, TERMS };       which of the sizes M, K and N of a workload are C's rows and columns, and the
 *                                        number of products that each element sums
 *   enum { A_TRANSPOSED, B_TRANSPOSED }; as in struct matmul_product
 *   enum { A_MAY_BE_IMAGES };            real ones, if given
 *   ANSWER                               the name of C
 *   FLAG, FLAG_HELP                      the flag that adds a workload
 *
 * Its buffers are A, B and C, in this order. */
#pragma once

#include "array_op.h"
#include "matmul_check.h"
#include "matmul_input.h"
#include "matmul_product.h"
#include "matmul_reference.h"

enum { A, B, C, BUFFERS };

static struct matmul_product product_of(const struct workload *workload)
{
    const int64_t *size = workload->size;
    return (struct matmul_product){size[ROWS],   size[COLUMNS], size[TERMS],    A_TRANSPOSED,
                                   B_TRANSPOSED, ANSWER,        A_MAY_BE_IMAGES};
}

/* As they lie. */
static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    const struct matmul_product p = product_of(workload);
    of[A] = (struct array_shape){"A", 2, {A_TRANSPOSED ? p.k : p.m, A_TRANSPOSED ? p.m : p.k}};
    of[B] = (struct array_shape){"B", 2, {B_TRANSPOSED ? p.n : p.k, B_TRANSPOSED ? p.k : p.n}};
    of[C] = (struct array_shape){"C", 2, {p.m, p.n}};
    return BUFFERS;
}

static int64_t terms(const struct workload *workload)
{
    return workload->size[TERMS];
}

static int64_t start(const struct workload *workload, size_t input, int64_t element)
{
    const int64_t i = element / workload->size[COLUMNS], j = element % workload->size[COLUMNS];
    if (input == A)
        return A_TRANSPOSED ? i : i * workload->size[TERMS];
    return B_TRANSPOSED ? j * workload->size[TERMS] : j;
}

static int64_t step(const struct workload *workload, size_t input, int64_t p)
{
    if (input == A)
        return A_TRANSPOSED ? p * workload->size[ROWS] : p;
    return B_TRANSPOSED ? p : p * workload->size[COLUMNS];
}

static void ask(const struct workload *workload, const struct input_source *source, struct made made[OP_BUFFERS_MAX],
                struct input_note *note)
{
    matmul_input_question(product_of(workload), source, &made[A], &made[B], note);
}

static const struct array_rule rule = {
    .flag = {FLAG, "MxKxN", FLAG_HELP, set_sizes, FILE_NONE},
    .shapes = shapes,
    .terms = terms,
    .start = start,
    .step = step,
    .question = ask,
};

/* The last `rows` and `columns` of a matrix of the product, as it lies. */
static struct window end_window(const struct workload *workload, size_t i, int64_t rows, int64_t columns,
                                bool transposed)
{
    struct array_shape of[OP_BUFFERS_MAX];
    (void)shapes(workload, of);
    return array_corner(of[i].size[0], of[i].size[1], transposed ? columns : rows, transposed ? rows : columns);
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
    windows[A] = end_window(workload, A, 1, p.k, A_TRANSPOSED);
    windows[B] = end_window(workload, B, p.k, columns, B_TRANSPOSED);
    windows[C] = end_window(workload, C, 1, columns, false);
}

static void fill_product(const struct workload *workload, const struct input_source *source, void *const host[],
                         struct input_note *note)
{
    matmul_input_fill(product_of(workload), source, host[A], host[B], note);
}

static size_t product_bytes(const struct workload *workload)
{
    return matmul_reference_bytes(product_of(workload));
}

static void *make_product(const struct workload *workload, const struct input_note *note, void *const host[])
{
    return matmul_reference_make(product_of(workload), host[A], host[B], note);
}

static double rms_limit(const struct workload *workload, enum precision precision, int64_t elements, bool dense)
{
    return matmul_rms_limit_of_elements(product_of(workload), precision, elements, dense);
}

/* These functions, for the initializer of a struct op. */
#define PRODUCT_FUNCTIONS                                                                               \
    ARRAY_FORM, .fill = fill_product, .reference_bytes = product_bytes, .reference_make = make_product, \
                .reference_free = matmul_reference_free, .check = matmul_check, .rms_limit = rms_limit
