/* The operation softmax: y[i,j] = exp(x[i,j] - max) / sum over rows of x (bench/table/softmax.h).
 *
 * The bound of an element, relative to it, in u = 2^-24, with d_j = x_j - max and e_j = exp(d_j). To first order:
 * - |d_j| u: d_j is rounded, and exp makes an absolute error a relative one.
 * - 4 u: expf is within 2 ulp ("CUDA C++ Programming Guide", the table of mathematical standard functions), glibc's
 *   within 1 ulp, and an ulp is up to 2 u.
 * - n u: gamma_n, as terms are positive and may be added in any order (N. Higham, "Accuracy and Stability of Numerical
 *   Algorithms", 2nd ed., section 4.2). The terms' own errors count by their share in the sum: 4 u, and |d| u on
 *   average with the weights e.
 * - 5 u for each time that a sum is rescaled because a larger element appears (M. Milakov and N. Gimelshein, "Online
 *   normalizer calculation for softmax", 2018): an expf and a product. The rounded differences add up to |d| u. A
 *   running maximum of n random numbers rises about log(n) times, and lanes are merged in a tree; 64 is ample.
 * - 2 u for a division, or for a product with the reciprocal.
 * An exp that underflows is off by 2 * 2^-149 at most, and the division adds half of that, since the sum is at least 1.
 * The bound of 4 * 2^-149 covers both. */
#include "bench/table/softmax.h"
#include "array_op.h"

#include <math.h>

static_assert(SOFTMAX_SIZE_MAX >= OP_SIZE_LIMIT, "rungs take every size that the flag takes");

enum { M, N };
enum { X, Y, BUFFERS };

static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    of[X] = (struct array_shape){"x", 2, {workload->size[M], workload->size[N]}};
    of[Y] = (struct array_shape){"y", 2, {workload->size[M], workload->size[N]}};
    return BUFFERS;
}

/* A comparison, a subtraction, an exponential, an addition and a division per element, each counted as one. */
static double flops(const struct workload *workload)
{
    return 5 * (double)workload->size[M] * (double)workload->size[N];
}

static int64_t piece(const struct workload *workload)
{
    return workload->size[N];
}

/* `first` to `first` + `count` - 1 are a row. */
static bool compute(const struct workload *workload, const struct array_reader inputs[], int64_t first, int64_t count,
                    double *value, double *bound)
{
    (void)workload;
    const double unit = 0x1p-24, exp_error = 4, rescalings = fmin((double)count, 64), division = 2;
    double largest = -INFINITY, sum = 0, weighted = 0;
    for (int64_t j = 0; j < count; j++)
        largest = fmax(largest, array_at(&inputs[X], first + j));
    for (int64_t j = 0; j < count; j++) {
        double d = array_at(&inputs[X], first + j) - largest;
        value[j] = exp(d);
        sum += value[j];
        weighted += value[j] * fabs(d);
    }
    const double of_sum = weighted / sum + exp_error + (double)count + 5 * rescalings;
    for (int64_t j = 0; j < count; j++) {
        double d = array_at(&inputs[X], first + j) - largest;
        double relative = (fabs(d) + exp_error + of_sum + division) * unit;
        value[j] /= sum;
        bound[j] = (relative < 1 ? relative / (1 - relative) * value[j] : 1) + 4 * 0x1p-149;
    }
    return true;
}

static const struct array_rule rule = {
    .flag = {"softmax-shape", "MxN", "add a softmax workload, over the rows of MxN (repeatable)", set_sizes, FILE_NONE},
    .shapes = shapes,
    .flops = flops,
    .piece = piece,
    .compute = compute,
};

static const struct workload workloads[] = {
    {"mnist-batch64", {64, 10}, SUITE_NETWORK | SUITE_SMOKE},
    {"mnist", {50000, 10}, SUITE_NETWORK},
    {"large", {1 << 18, 1 << 10}, SUITE_NETWORK},
    {"large-wide", {1 << 13, 1 << 15}, SUITE_NETWORK},
};

/* Rows that some lanes, a warp or a block hold, and longer ones. */
static const struct workload ragged[] = {
    {SIZES_2(1, 1)},    {SIZES_2(70, 1)},   {SIZES_2(33, 3)},    {SIZES_2(19, 7)},
    {SIZES_2(10, 13)},  {SIZES_2(5, 31)},   {SIZES_2(3, 67)},    {SIZES_2(9, 128)},
    {SIZES_2(2, 257)},  {SIZES_2(2, 784)},  {SIZES_2(2, 1031)},  {SIZES_2(2, 2052)},
    {SIZES_2(1, 4099)}, {SIZES_2(1, 8209)}, {SIZES_2(1, 16388)}, {SIZES_2(1, 32771)},
};

/* More than 2^32 elements: an index of 32 bits, or a grid made of one, begins again near 0. */
static const struct workload far[] = {
    {SIZES_2(1073741824, 5)},
};

static void far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX])
{
    const int64_t rows = 4, m = workload->size[M], n = workload->size[N];
    *end = (struct workload){.name = "its end", .size = {rows, n}};
    windows[X] = windows[Y] = array_end(m * n, rows * n);
}

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    *(struct softmax_problem *)problem =
        (struct softmax_problem){.m = workload->size[M], .n = workload->size[N], .x = memory[X], .y = memory[Y]};
}

OP_DEFINE(softmax, OP_FAR, ARRAY_FUNCTIONS);
