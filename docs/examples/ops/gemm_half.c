/* C = A B in half precision, where sums are made in FP32: A is m x k, B is k x n. The bound is that of an FP32 sum
 * (bench/ops/sums.h) and of one rounding to half. Sums made in half are found: their errors are a thousand times as
 * large. */
#include "bench/table/op.h"

static const struct workload workloads[] = {{"small", {40, 50, 30}}, {"square", {256, 256, 256}}};

const struct op rungbench_op = {
    .name = "gemm_half",
    .sizes = "m k n",
    .args = {{"A", "m,k", .type = ELEMENT_HALF},
             {"B", "k,n", .type = ELEMENT_HALF},
             {"C", "m,n", .type = ELEMENT_HALF, .is_output = true}},
    .formula = "C[i,j] = A[i,p] B[p,j]",
    .workloads = workloads,
    .workload_count = OP_COUNT(workloads),
};
