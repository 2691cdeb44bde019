/* The operation zip: y = a x + z, element by element, where z is seen through a view (bench/table/zip.h). */
#include "bench/table/zip.h"
#include "array_rule.h"

#include <assert.h>
#include <math.h>

static_assert(sizeof(struct zip_problem) <= OP_PROBLEM_BYTES_MAX, "a problem must fit into struct buffers");
static_assert(ZIP_SIZE_MAX >= OP_SIZE_LIMIT, "rungs take every size that the flag takes");

enum { M, N, VIEW };
enum { WHOLE = 1, ROW, COLUMN, TRANSPOSED }; /* sizes of VIEW, in the order of the flag's words */
enum { X, Z, Y, BUFFERS };

/* z as it lies in memory. */
static struct array_shape shape_of_z(const struct workload *workload)
{
    const int64_t m = workload->size[M], n = workload->size[N];
    const struct array_shape views[] = {[WHOLE] = {"z", 2, {m, n}},
                                        [ROW] = {"z", 2, {1, n}},
                                        [COLUMN] = {"z", 2, {1, m}},
                                        [TRANSPOSED] = {"z", 2, {n, m}}};
    return views[workload->size[VIEW]];
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
    const struct strides views[] = {
        [WHOLE] = {workload->size[N], 1}, [ROW] = {0, 1}, [COLUMN] = {1, 0}, [TRANSPOSED] = {1, workload->size[M]}};
    return views[workload->size[VIEW]];
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
    .flag = "zip-shape",
    .sizes = "MxNx(whole|row|column|transposed)",
    .takes_any = true,
    .shapes = shapes,
    .flops = flops,
    .compute = compute,
};

#include "array_op.h"

static const struct workload workloads[] = {
    {"mnist-whole", {64, 784, WHOLE}, SUITE_NETWORK},
    {"mnist-row", {64, 784, ROW}, SUITE_NETWORK | SUITE_SMOKE},
    {"mnist-column", {64, 784, COLUMN}, SUITE_NETWORK},
    {"mnist-transposed", {64, 784, TRANSPOSED}, SUITE_NETWORK},
    {"mnist-hidden-whole", {50000, 128, WHOLE}, SUITE_NETWORK},
    {"mnist-hidden-row", {50000, 128, ROW}, SUITE_NETWORK}, /* the hidden layer's bias */
    {"mnist-hidden-column", {50000, 128, COLUMN}, SUITE_NETWORK},
    {"mnist-hidden-transposed", {50000, 128, TRANSPOSED}, SUITE_NETWORK},
    {"large-whole", {1 << 13, 1 << 13, WHOLE}, SUITE_NETWORK},
    {"large-row", {1 << 13, 1 << 13, ROW}, SUITE_NETWORK},
    {"large-column", {1 << 13, 1 << 13, COLUMN}, SUITE_NETWORK},
    {"large-transposed", {1 << 13, 1 << 13, TRANSPOSED}, SUITE_NETWORK},
};

/* Of each view one row, one column, aligned rows and others, and more rows than the simulator's grids have blocks for
 * along y; of the transposed one also more large tiles. */
static const struct workload ragged[] = {
    {"1x1-whole", {1, 1, WHOLE}, 0},
    {"1x131-whole", {1, 131, WHOLE}, 0},
    {"37x67-whole", {37, 67, WHOLE}, 0},
    {"3x391-whole", {3, 391, WHOLE}, 0},
    {"5x132-whole", {5, 132, WHOLE}, 0},
    {"1x131-row", {1, 131, ROW}, 0},
    {"70x1-row", {70, 1, ROW}, 0},
    {"5x67-row", {5, 67, ROW}, 0},
    {"37x132-row", {37, 132, ROW}, 0},
    {"1x131-column", {1, 131, COLUMN}, 0},
    {"70x1-column", {70, 1, COLUMN}, 0},
    {"37x67-column", {37, 67, COLUMN}, 0},
    {"5x132-column", {5, 132, COLUMN}, 0},
    {"1x130-transposed", {1, 130, TRANSPOSED}, 0},
    {"70x1-transposed", {70, 1, TRANSPOSED}, 0},
    {"33x68-transposed", {33, 68, TRANSPOSED}, 0},
    {"36x5-transposed", {36, 5, TRANSPOSED}, 0},
    {"68x36-transposed", {68, 36, TRANSPOSED}, 0},
    {"131x37-transposed", {131, 37, TRANSPOSED}, 0},
    {"261x67-transposed", {261, 67, TRANSPOSED}, 0},
    {"260x68-transposed", {260, 68, TRANSPOSED}, 0},
};

/* More than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
static const struct workload far[] = {
    {"5x1073741824-whole", {5, 1 << 30, WHOLE}, 0},           {"1073741824x5-row", {1 << 30, 5, ROW}, 0},
    {"5x1073741824-column", {5, 1 << 30, COLUMN}, 0},         {"1073741824x5-transposed", {1 << 30, 5, TRANSPOSED}, 0},
    {"5x1073741824-transposed", {5, 1 << 30, TRANSPOSED}, 0}, {"1073741824x8-transposed", {1 << 30, 8, TRANSPOSED}, 0},
    {"8x1073741824-transposed", {8, 1 << 30, TRANSPOSED}, 0},
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

static const struct op_flag flags[] = {
    {"zip-shape", "MxNxVIEW", "add a zip workload of MxN elements; VIEW: whole, row, column or transposed (repeatable)",
     set_sizes, FILE_NONE},
};

const struct op zip_op;
const struct op zip_op = {OP_TABLES(zip), OP_FAR, ARRAY_FUNCTIONS};
