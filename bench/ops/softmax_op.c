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
#include "bench/table/op.h"

#include <math.h>

/* A row. */
static bool compute(const struct op_piece *piece)
{
    const double unit = 0x1p-24, exp_error = 4, rescalings = fmin((double)piece->count, 64), division = 2;
    double largest = -INFINITY, sum = 0, weighted = 0;
    for (int64_t j = 0; j < piece->count; j++)
        largest = fmax(largest, op_read(&piece->inputs[0], piece->first + j));
    for (int64_t j = 0; j < piece->count; j++) {
        double d = op_read(&piece->inputs[0], piece->first + j) - largest;
        piece->value[j] = exp(d);
        sum += piece->value[j];
        weighted += piece->value[j] * fabs(d);
    }
    const double of_sum = weighted / sum + exp_error + (double)piece->count + 5 * rescalings;
    for (int64_t j = 0; j < piece->count; j++) {
        double d = op_read(&piece->inputs[0], piece->first + j) - largest;
        double relative = (fabs(d) + exp_error + of_sum + division) * unit;
        piece->value[j] /= sum;
        piece->bound[j] = (relative < 1 ? relative / (1 - relative) * piece->value[j] : 1) + 4 * 0x1p-149;
    }
    return true;
}

static const struct workload workloads[] = {
    {"mnist-batch64", {64, 10}, SUITE_NETWORK | SUITE_SMOKE | SUITE_OWN_SMALL},
    {"mnist", {50000, 10}, SUITE_NETWORK},
    {"4096x1024", {4096, 1024}, SUITE_OWN},
    {"large", {1 << 18, 1 << 10}, SUITE_NETWORK},
    {"large-wide", {1 << 13, 1 << 15}, SUITE_NETWORK},
};

/* Rows that some lanes, a warp or a block hold, and longer ones. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1},   {70, 1},  {33, 3},   {19, 7},   {10, 13},  {5, 31},   {3, 67},    {9, 128},
    {2, 257}, {2, 784}, {2, 1031}, {2, 2052}, {1, 4099}, {1, 8209}, {1, 16388}, {1, 32771},
};

static const int64_t far[][OP_SIZES_MAX] = {{1073741824, 5}};

const struct op softmax_op = {
    OP_NAME(softmax),
    .sizes = "m n",
    .args = {{"x", "m,n"}, {"y", "m,n", .is_output = true}},
    .compute = compute,
    .piece = "n",
    /* A comparison, a subtraction, an exponential, an addition and a division per element. */
    .operations = "5*m*n",
    OP_WORKLOADS,
    OP_LIST(far),
};
