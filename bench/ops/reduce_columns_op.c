/* The operation reduce_columns: y[j] is the sum of column j of x (bench/table/reduce_columns.h). */
#include "bench/table/reduce_columns.h"
#include "array_op.h"

static_assert(REDUCE_COLUMNS_SIZE_MAX >= OP_SIZE_LIMIT, "rungs take every size that the flag takes");

enum { M, N };
enum { X, Y, BUFFERS };

static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    of[X] = (struct array_shape){"x", 2, {workload->size[M], workload->size[N]}};
    of[Y] = (struct array_shape){"y", 1, {workload->size[N]}};
    return BUFFERS;
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
    .flag = {"reduce-columns-shape", "MxN", "add a reduce_columns workload, sums of the columns of MxN (repeatable)",
             set_sizes, FILE_NONE},
    .shapes = shapes,
    .terms = terms,
    .start = start,
    .step = step,
};

static const struct workload workloads[] = {
    {"mnist-bias", {64, 10}, SUITE_NETWORK | SUITE_SMOKE}, /* the gradient of a layer's bias */
    {"mnist-mean", {50000, 784}, SUITE_NETWORK},           /* over the images: the mean image */
    {"large", {1 << 18, 1 << 10}, SUITE_NETWORK},
};

/* Fewer and more columns than a block takes, aligned rows and others, such as several blocks share, and more rows for
 * each of them than it takes in a turn. */
static const struct workload ragged[] = {
    {SIZES_2(1, 1)},    {SIZES_2(3, 1)},     {SIZES_2(1, 70)},    {SIZES_2(5, 67)},  {SIZES_2(10, 31)},
    {SIZES_2(257, 3)},  {SIZES_2(33, 64)},   {SIZES_2(2, 519)},   {SIZES_2(3, 772)}, {SIZES_2(1031, 4)},
    {SIZES_2(519, 37)}, {SIZES_2(181, 515)}, {SIZES_2(44, 3085)},
};

/* More than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
static const struct workload far[] = {
    {SIZES_2(5, 1073741824)},
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

OP_DEFINE(reduce_columns, OP_FAR, ARRAY_FUNCTIONS);
