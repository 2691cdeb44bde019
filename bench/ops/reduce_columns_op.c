/* The operation reduce_columns: y[j] is the sum of column j of x (bench/table/reduce_columns.h). */
#include "bench/table/reduce_columns.h"
#include "array_rule.h"

#include <assert.h>

static_assert(sizeof(struct reduce_columns_problem) <= OP_PROBLEM_BYTES_MAX, "a problem must fit into struct buffers");
static_assert(REDUCE_COLUMNS_SIZE_MAX >= OP_SIZE_LIMIT, "rungs take every size that the flag takes");

enum { M, N };
enum { X, Y, BUFFERS };

static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    of[X] = (struct array_shape){"x", 2, {workload->size[M], workload->size[N]}};
    of[Y] = (struct array_shape){"y", 1, {workload->size[N]}};
    return BUFFERS;
}

static double flops(const struct workload *workload)
{
    return (double)(workload->size[M] - 1) * (double)workload->size[N];
}

static int64_t terms(const struct workload *workload)
{
    return workload->size[M];
}

static int64_t start(const struct workload *workload, size_t input, int64_t element)
{
    (void)workload;
    (void)input;
    return element;
}

static int64_t step(const struct workload *workload, size_t input, int64_t p)
{
    (void)input;
    return p * workload->size[N];
}

static const struct array_rule rule = {
    .flag = "reduce-columns-shape",
    .sizes = "MxN",
    .shapes = shapes,
    .flops = flops,
    .terms = terms,
    .start = start,
    .step = step,
};

#include "array_op.h"

static const struct workload workloads[] = {
    {"mnist-bias", {64, 10}, SUITE_NETWORK | SUITE_SMOKE}, /* the gradient of a layer's bias */
    {"mnist-mean", {50000, 784}, SUITE_NETWORK},           /* over the images: the mean image */
    {"large", {1 << 18, 1 << 10}, SUITE_NETWORK},
};

/* Fewer and more columns than a block takes, aligned rows and others, such as several blocks share, and more rows for
 * each of them than it takes in a turn. */
static const struct workload ragged[] = {
    {"1x1", {1, 1}, 0},         {"3x1", {3, 1}, 0},       {"1x70", {1, 70}, 0},     {"5x67", {5, 67}, 0},
    {"10x31", {10, 31}, 0},     {"257x3", {257, 3}, 0},   {"33x64", {33, 64}, 0},   {"2x519", {2, 519}, 0},
    {"3x772", {3, 772}, 0},     {"1031x4", {1031, 4}, 0}, {"519x37", {519, 37}, 0}, {"181x515", {181, 515}, 0},
    {"44x3085", {44, 3085}, 0},
};

/* More than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
static const struct workload far[] = {
    {"5x1073741824", {5, 1 << 30}, 0},
};

static void far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX])
{
    const int64_t columns = 8, m = workload->size[M], n = workload->size[N];
    *end = (struct workload){.name = "its end", .size = {m, columns}};
    windows[X] = array_corner(m, n, m, columns);
    windows[Y] = array_end(n, columns);
}

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    *(struct reduce_columns_problem *)problem =
        (struct reduce_columns_problem){.m = workload->size[M], .n = workload->size[N], .x = memory[X], .y = memory[Y]};
}

static const struct op_flag flags[] = {
    {"reduce-columns-shape", "MxN", "add a reduce_columns workload, sums of the columns of MxN (repeatable)", set_sizes,
     FILE_NONE},
};

const struct op reduce_columns_op;
const struct op reduce_columns_op = {OP_TABLES(reduce_columns), OP_FAR, ARRAY_FUNCTIONS};
