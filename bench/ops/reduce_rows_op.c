/* The operation reduce_rows: y[i] is the sum of row i of x (bench/table/reduce_rows.h). */
#include "bench/table/reduce_rows.h"
#include "array_op.h"

static_assert(REDUCE_ROWS_SIZE_MAX >= OP_SIZE_LIMIT, "rungs take every size that the flag takes");

enum { M, N };
enum { X, Y, BUFFERS };

static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    of[X] = (struct array_shape){"x", 2, {workload->size[M], workload->size[N]}};
    of[Y] = (struct array_shape){"y", 1, {workload->size[M]}};
    return BUFFERS;
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

static const struct array_rule rule = {
    .flag = {"reduce-rows-shape", "MxN", "add a reduce_rows workload, sums of the rows of MxN (repeatable)", set_sizes,
             FILE_NONE},
    .shapes = shapes,
    .terms = terms,
    .start = start,
};

static const struct workload workloads[] = {
    {"mnist-valid5", {5, 784}, SUITE_NETWORK | SUITE_SMOKE},
    {"mnist", {50000, 784}, SUITE_NETWORK},
    {"mnist-all", {1, 50000 * 784}, SUITE_NETWORK},
    {"large", {1, 1 << 28}, SUITE_NETWORK},
};

/* Rows shorter and longer than vectors, warps and blocks, and such as several blocks share. */
static const struct workload ragged[] = {
    {SIZES_2(1, 1)},    {SIZES_2(1, 3)},    {SIZES_2(70, 1)},   {SIZES_2(67, 5)},    {SIZES_2(31, 10)},
    {SIZES_2(13, 32)},  {SIZES_2(7, 67)},   {SIZES_2(3, 257)},  {SIZES_2(2, 517)},   {SIZES_2(1, 1029)},
    {SIZES_2(3, 2053)}, {SIZES_2(2, 4099)}, {SIZES_2(2, 1021)}, {SIZES_2(1, 65603)},
};

/* More than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
static const struct workload far[] = {
    {SIZES_2(1073741824, 5)},
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

OP_DEFINE(reduce_rows, OP_FAR, ARRAY_FUNCTIONS);
