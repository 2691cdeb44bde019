/* y[i] = exp(x[i] - max) / sum of exp(x[j] - max), over one vector.
 *
 * The bound, relative to an element, in u = 2^-24, with d = x - max, to first order (bench/ops/softmax_op.c has more):
 * - |d| + 4: the rounded difference, and an exponential within 2 ulp ("CUDA C++ Programming Guide", the table of
 *   mathematical standard functions). In the sum they count by their share.
 * - n: additions of positive terms in any order (N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
 *   section 4.2).
 * - 5 each time that a sum is rescaled because a larger element appears (M. Milakov and N. Gimelshein, "Online
 *   normalizer calculation for softmax", 2018); 64 times are ample.
 * - 2: the division.
 * An exponential that underflows is off by a few of the smallest numbers, 2^-149. */
#include "bench/table/op.h"

#include <math.h>

static bool compute(const struct op_piece *piece)
{
    const struct op_reader *x = &piece->inputs[0];
    double largest = -INFINITY, sum = 0, weighted = 0;
    for (int64_t i = 0; i < piece->count; i++)
        largest = fmax(largest, op_read(x, i));
    for (int64_t i = 0; i < piece->count; i++) {
        const double d = op_read(x, i) - largest;
        piece->value[i] = exp(d);
        sum += piece->value[i];
        weighted += piece->value[i] * fabs(d);
    }
    const double of_sum = weighted / sum + 4 + (double)piece->count + 5 * fmin((double)piece->count, 64);
    for (int64_t i = 0; i < piece->count; i++) {
        const double relative = (fabs(op_read(x, i) - largest) + 4 + of_sum + 2) * 0x1p-24;
        piece->value[i] /= sum;
        piece->bound[i] = (relative < 1 ? relative / (1 - relative) * piece->value[i] : 1) + 4 * 0x1p-149;
    }
    return true;
}

static const struct workload workloads[] = {{"small", {1000}}, {"medium", {1 << 14}}, {"large", {1 << 18}}};

const struct op rungbench_op = {
    .name = "softmax_vector",
    .sizes = "n",
    .args = {{"x", "n"}, {"y", "n", .is_output = true}},
    .compute = compute,
    .piece = "n",
    .operations = "5*n",
    .workloads = workloads,
    .workload_count = OP_COUNT(workloads),
};
