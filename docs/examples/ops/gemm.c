/* C = alpha A B + beta C, as BLAS has it: A is m x k, B is k x n, and C is read and written. The bound is
 * gamma_(k + 3) = (k + 3) u / (1 - (k + 3) u) times the sum of the magnitudes of all terms, for k products and their
 * sum, two products with alpha and beta, and the addition (N. Higham, "Accuracy and Stability of Numerical Algorithms",
 * 2nd ed., sections 3.1 and 3.5); what underflows adds up to 2^-149 each time. */
#include "bench/table/op.h"

#include <math.h>

enum { A, B, BEFORE };

static const double alpha = 1.5, beta = -0.75;

static bool compute(const struct op_piece *piece)
{
    const int64_t k = piece->size[1], n = piece->size[2];
    const double roundings = (double)k + 3, unit = 0x1p-24;
    for (int64_t e = 0; e < piece->count; e++) {
        const int64_t row = (piece->first + e) / n, column = (piece->first + e) % n;
        const double before = beta * op_read(&piece->inputs[BEFORE], piece->first + e);
        double sum = 0, magnitude = 0;
        for (int64_t p = 0; p < k; p++) {
            const double term = op_read(&piece->inputs[A], row * k + p) * op_read(&piece->inputs[B], p * n + column);
            sum += term;
            magnitude += fabs(term);
        }
        piece->value[e] = alpha * sum + before;
        piece->bound[e] =
            roundings * unit / (1 - roundings * unit) * (alpha * magnitude + fabs(before)) + 2 * roundings * 0x1p-149;
    }
    return true;
}

static const struct workload workloads[] = {{"small", {40, 50, 30}}, {"square", {256, 256, 256}}};

const struct op rungbench_op = {
    .name = "gemm",
    .sizes = "m k n",
    .args = {{"A", "m,k"}, {"B", "k,n"}, {"before", "m,n"}, {"C", "m,n", .is_output = true, .begins_as = "before"}},
    .compute = compute,
    .operations = "m*n*(2*k+3)",
    .workloads = workloads,
    .workload_count = OP_COUNT(workloads),
};
