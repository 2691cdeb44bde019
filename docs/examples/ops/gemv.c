/* y = A x: a matrix of m rows and n columns times a vector. The bound of a sum of products follows from the formula
 * (bench/ops/sums.h). */
#include "bench/table/op.h"

static const struct workload workloads[] = {{"small", {100, 70}}, {"mnist", {784, 128}}, {"large", {1024, 1024}}};

const struct op rungbench_op = {
    .name = "gemv",
    .sizes = "m n",
    .args = {{"A", "m,n"}, {"x", "n"}, {"y", "m", .is_output = true}},
    .formula = "y[i] = A[i,j] x[j]",
    .workloads = workloads,
    .workload_count = OP_COUNT(workloads),
};
