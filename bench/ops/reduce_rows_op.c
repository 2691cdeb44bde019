/* The operation reduce_rows: y[i] is the sum of row i of x (bench/table/reduce_rows.h). */
#include "bench/table/reduce_rows.h"
#include "array_rule.h"

#include <assert.h>

static_assert(sizeof(struct reduce_rows_problem) <= OP_PROBLEM_BYTES_MAX, "a problem must fit into struct buffers");
static_assert(REDUCE_ROWS_SIZE_MAX >= OP_SIZE_LIMIT, "rungs take every size that the flag takes");

enum { M, N };
enum { X, Y, BUFFERS };

static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    of[X] = (struct array_shape){"x", 2, {workload->size[M], workload->size[N]}};
    of[Y] = (struct array_shape){"y", 1, {workload->size[M]}};
    return BUFFERS;
}

static double flops(const struct workload *workload)
{
    return (double)workload->size[M] * (double)(workload->size[N] - 1);
}

static int64_t terms(const struct workload *workload)
{
    return workload->size[N];
}

static int64_t start(const struct workload *workload, size_t input, int64_t element)
{
    (void)input;
    return element * workload->size[N];
}

static int64_t step(const struct workload *workload, size_t input, int64_t p)
{
    (void)workload;
    (void)input;
    return p;
}

static const struct array_rule rule = {
    .flag = "reduce-rows-shape",
    .sizes = "MxN",
    .shapes = shapes,
    .flops = flops,
    .terms = terms,
    .start = start,
    .step = step,
};

#include "array_op.h"

static const struct workload workloads[] = {
    {"mnist-valid5", {5, 784}, SUITE_NETWORK | SUITE_SMOKE},
    {"mnist", {50000, 784}, SUITE_NETWORK},
    {"mnist-all", {1, 50000 * 784}, SUITE_NETWORK},
    {"large", {1, 1 << 28}, SUITE_NETWORK},
};

/* Rows shorter and longer than vectors, warps and blocks, and such as several blocks share. */
static const struct workload ragged[] = {
    {"1x1", {1, 1}, 0},       {"1x3", {1, 3}, 0},         {"70x1", {70, 1}, 0},     {"67x5", {67, 5}, 0},
    {"31x10", {31, 10}, 0},   {"13x32", {13, 32}, 0},     {"7x67", {7, 67}, 0},     {"3x257", {3, 257}, 0},
    {"2x517", {2, 517}, 0},   {"1x1029", {1, 1029}, 0},   {"3x2053", {3, 2053}, 0}, {"2x4099", {2, 4099}, 0},
    {"2x1021", {2, 1021}, 0}, {"1x65603", {1, 65603}, 0},
};

/* More than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
static const struct workload far[] = {
    {"1073741824x5", {1 << 30, 5}, 0},
};

static void far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX])
{
    const int64_t rows = 4, m = workload->size[M], n = workload->size[N];
    *end = (struct workload){.name = "its end", .size = {rows, n}};
    windows[X] = array_end(m * n, rows * n);
    windows[Y] = array_end(m, rows);
}

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    *(struct reduce_rows_problem *)problem =
        (struct reduce_rows_problem){.m = workload->size[M], .n = workload->size[N], .x = memory[X], .y = memory[Y]};
}

static const struct op_flag flags[] = {
    {"reduce-rows-shape", "MxN", "add a reduce_rows workload, sums of the rows of MxN (repeatable)", set_sizes,
     FILE_NONE},
};

const struct op reduce_rows_op;
const struct op reduce_rows_op = {OP_TABLES(reduce_rows), OP_FAR, ARRAY_FUNCTIONS};
