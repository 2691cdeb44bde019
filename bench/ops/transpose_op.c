/* The operation transpose: y = x^T (bench/table/transpose.h). */
#include "bench/table/transpose.h"
#include "array_op.h"

static_assert(TRANSPOSE_SIZE_MAX >= OP_SIZE_LIMIT, "rungs take every size that the flag takes");

enum { M, N };
enum { X, Y, BUFFERS };

static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    of[X] = (struct array_shape){"x", 2, {workload->size[M], workload->size[N]}};
    of[Y] = (struct array_shape){"y", 2, {workload->size[N], workload->size[M]}};
    return BUFFERS;
}

/* Nothing is rounded: the answer is exact. */
static bool compute(const struct workload *workload, const struct array_reader inputs[], int64_t first, int64_t count,
                    double *value, double *bound)
{
    const int64_t m = workload->size[M], n = workload->size[N];
    for (int64_t e = 0; e < count; e++) {
        const int64_t j = (first + e) / m, i = (first + e) % m;
        value[e] = array_at(&inputs[X], i * n + j);
        bound[e] = 0;
    }
    return true;
}

static const struct array_rule rule = {
    .flag = {"transpose-shape", "MxN", "add a transpose workload of an MxN matrix (repeatable)", set_sizes, FILE_NONE},
    .takes_any = true,
    .shapes = shapes,
    .compute = compute,
};

static const struct workload workloads[] = {
    {"mnist-batch64", {64, 784}, SUITE_NETWORK | SUITE_SMOKE},
    {"mnist-images", {50000, 784}, SUITE_NETWORK},
    {"large", {1 << 13, 1 << 13}, SUITE_NETWORK},
};

/* One row, one column, aligned rows of x, of y, of both and of neither, and more tiles, small and
 * large, than the simulator's grids have blocks along y. */
static const struct workload ragged[] = {
    {SIZES_2(1, 1)},    {SIZES_2(1, 70)},   {SIZES_2(70, 1)},  {SIZES_2(5, 67)},   {SIZES_2(31, 33)},
    {SIZES_2(32, 64)},  {SIZES_2(36, 31)},  {SIZES_2(33, 68)}, {SIZES_2(131, 37)}, {SIZES_2(164, 20)},
    {SIZES_2(261, 67)}, {SIZES_2(260, 68)}, {SIZES_2(96, 64)}, {SIZES_2(70, 100)}, {SIZES_2(132, 260)},
};

/* More than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
static const struct workload far[] = {
    {SIZES_2(5, 1073741824)},
    {SIZES_2(1073741824, 5)},
    {SIZES_2(8, 1073741824)},
    {SIZES_2(1073741824, 8)},
};

static void far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX])
{
    const int64_t last = 24, m = workload->size[M], n = workload->size[N];
    const int64_t rows = m < last ? m : last, columns = n < last ? n : last;
    *end = (struct workload){.name = "its end", .size = {rows, columns}};
    windows[X] = array_corner(m, n, rows, columns);
    windows[Y] = array_corner(n, m, columns, rows);
}

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    *(struct transpose_problem *)problem =
        (struct transpose_problem){.m = workload->size[M], .n = workload->size[N], .x = memory[X], .y = memory[Y]};
}

OP_DEFINE(transpose, OP_FAR, ARRAY_FUNCTIONS);
