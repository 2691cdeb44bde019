/* C = A B of 8-bit integers with sums of 32 bits, as quantized networks have them: A is m x k, B is k x n. Sums of
 * integers must be exactly right. Up to k = 131071 none of them overflows. */
#include "bench/table/op.h"

static const struct workload workloads[] = {{"small", {40, 50, 30}}, {"square", {256, 256, 256}}};

const struct op rungbench_op = {
    .name = "gemm_int8",
    .sizes = "m k n",
    .args = {{"A", "m,k", .type = ELEMENT_INT8},
             {"B", "k,n", .type = ELEMENT_INT8},
             {"C", "m,n", .type = ELEMENT_INT32, .is_output = true}},
    .formula = "C[i,j] = A[i,p] B[p,j]",
    .workloads = workloads,
    .workload_count = OP_COUNT(workloads),
};
