/* The operation zip: y = a x + z, element by element, where z is seen through a view (bench/table/zip.h). */
#include "bench/table/zip.h"
#include "array_op.h"

#include <math.h>

static_assert(ZIP_SIZE_MAX >= OP_SIZE_LIMIT, "rungs take every size that the flag takes");

enum { M, N, VIEW };
enum { VIEW_whole = 1, VIEW_row, VIEW_column, VIEW_transposed }; /* sizes of VIEW */
static const char *const views[] = {"whole", "row", "column", "transposed", NULL};
enum { X, Z, Y, BUFFERS };

/* z as it lies in memory. */
static struct array_shape shape_of_z(const struct workload *workload)
{
    const int64_t m = workload->size[M], n = workload->size[N];
    const struct array_shape shapes_of[] = {[VIEW_whole] = {"z", 2, {m, n}},
                                            [VIEW_row] = {"z", 2, {1, n}},
                                            [VIEW_column] = {"z", 2, {1, m}},
                                            [VIEW_transposed] = {"z", 2, {n, m}}};
    return shapes_of[workload->size[VIEW]];
}

static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    of[X] = (struct array_shape){"x", 2, {workload->size[M], workload->size[N]}};
    of[Z] = shape_of_z(workload);
    of[Y] = (struct array_shape){"y", 2, {workload->size[M], workload->size[N]}};
    return BUFFERS;
}

/* From a row of the view to the next, and from a column. */
struct strides {
    int64_t row, column;
};

static struct strides strides_of(const struct workload *workload)
{
    const struct strides strides[] = {[VIEW_whole] = {workload->size[N], 1},
                                      [VIEW_row] = {0, 1},
                                      [VIEW_column] = {1, 0},
                                      [VIEW_transposed] = {1, workload->size[M]}};
    return strides[workload->size[VIEW]];
}

static double flops(const struct workload *workload)
{
    return 2 * (double)workload->size[M] * (double)workload->size[N];
}

/* Where a product of FP32 is exact, so is the sum before it is rounded, and double precision rounds a sum of two FP32
 * numbers so that rounding it again to FP32 changes nothing (S. Figueroa, "When is double rounding innocuous?", 1995).
 * Half of an odd subnormal number is not exact, and may be rounded by itself. */
static bool compute(const struct workload *workload, const struct array_reader inputs[], int64_t first, int64_t count,
                    double *value, double *bound)
{
    const int64_t n = workload->size[N];
    const struct strides z = strides_of(workload);
    for (int64_t e = 0; e < count; e++) {
        const int64_t i = (first + e) / n, j = (first + e) % n;
        const double product = (double)ZIP_A * array_at(&inputs[X], first + e);
        value[e] = (float)(product + array_at(&inputs[Z], i * z.row + j * z.column));
        bound[e] = (float)product == product ? 0 : 0x1p-149 + 0x1p-23 * fabs(value[e]);
    }
    return true;
}

static const struct array_rule rule = {
    .flag = {"zip-shape", "MxNxVIEW",
             "add a zip workload of MxN elements; VIEW: whole, row, column or transposed (repeatable)", set_sizes,
             FILE_NONE},
    .words = views,
    .sizes = "MxNx(whole|row|column|transposed)",
    .takes_any = true,
    .shapes = shapes,
    .flops = flops,
    .compute = compute,
};

static const struct workload workloads[] = {
    {"mnist-whole", {64, 784, VIEW_whole}, SUITE_NETWORK},
    {"mnist-row", {64, 784, VIEW_row}, SUITE_NETWORK | SUITE_SMOKE},
    {"mnist-column", {64, 784, VIEW_column}, SUITE_NETWORK},
    {"mnist-transposed", {64, 784, VIEW_transposed}, SUITE_NETWORK},
    {"mnist-hidden-whole", {50000, 128, VIEW_whole}, SUITE_NETWORK},
    {"mnist-hidden-row", {50000, 128, VIEW_row}, SUITE_NETWORK}, /* the hidden layer's bias */
    {"mnist-hidden-column", {50000, 128, VIEW_column}, SUITE_NETWORK},
    {"mnist-hidden-transposed", {50000, 128, VIEW_transposed}, SUITE_NETWORK},
    {"large-whole", {1 << 13, 1 << 13, VIEW_whole}, SUITE_NETWORK},
    {"large-row", {1 << 13, 1 << 13, VIEW_row}, SUITE_NETWORK},
    {"large-column", {1 << 13, 1 << 13, VIEW_column}, SUITE_NETWORK},
    {"large-transposed", {1 << 13, 1 << 13, VIEW_transposed}, SUITE_NETWORK},
};

/* Of each view one row, one column, aligned rows and others, and more rows than the simulator's grids have blocks for
 * along y; of the transposed one also more large tiles. */
#define VIEWED(m, n, view) .name = #m "x" #n "-" #view, .size = {m, n, VIEW_##view}
static const struct workload ragged[] = {
    {VIEWED(1, 1, whole)},         {VIEWED(1, 131, whole)},       {VIEWED(37, 67, whole)},
    {VIEWED(3, 391, whole)},       {VIEWED(5, 132, whole)},       {VIEWED(1, 131, row)},
    {VIEWED(70, 1, row)},          {VIEWED(5, 67, row)},          {VIEWED(37, 132, row)},
    {VIEWED(1, 131, column)},      {VIEWED(70, 1, column)},       {VIEWED(37, 67, column)},
    {VIEWED(5, 132, column)},      {VIEWED(1, 130, transposed)},  {VIEWED(70, 1, transposed)},
    {VIEWED(33, 68, transposed)},  {VIEWED(36, 5, transposed)},   {VIEWED(68, 36, transposed)},
    {VIEWED(131, 37, transposed)}, {VIEWED(261, 67, transposed)}, {VIEWED(260, 68, transposed)},
};

/* More than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
static const struct workload far[] = {
    {VIEWED(5, 1073741824, whole)},      {VIEWED(1073741824, 5, row)},        {VIEWED(5, 1073741824, column)},
    {VIEWED(1073741824, 5, transposed)}, {VIEWED(5, 1073741824, transposed)}, {VIEWED(1073741824, 8, transposed)},
    {VIEWED(8, 1073741824, transposed)},
};

static void far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX])
{
    const int64_t last = 24, m = workload->size[M], n = workload->size[N];
    const int64_t rows = m < last ? m : last, columns = n < last ? n : last;
    *end = (struct workload){.name = "its end", .size = {rows, columns, workload->size[VIEW]}};
    const struct array_shape whole = shape_of_z(workload), part = shape_of_z(end);
    windows[X] = windows[Y] = array_corner(m, n, rows, columns);
    windows[Z] = array_corner(whole.size[0], whole.size[1], part.size[0], part.size[1]);
}

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    const struct strides z = strides_of(workload);
    *(struct zip_problem *)problem = (struct zip_problem){.m = workload->size[M],
                                                          .n = workload->size[N],
                                                          .z_row = z.row,
                                                          .z_column = z.column,
                                                          .x = memory[X],
                                                          .z = memory[Z],
                                                          .y = memory[Y]};
}

OP_DEFINE(zip, OP_FAR, ARRAY_FUNCTIONS);
