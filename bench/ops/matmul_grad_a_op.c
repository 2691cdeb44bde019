/* The operation matmul_grad_a: dA[m,k] = dC[m,n] B[k,n]^T in FP32, the gradient of C = A B by A. Back-propagation takes
 * it through a layer, to what the layer before it gave out. */
#include "bench/table/matmul_grad_a.h"
#include "bench/table/op.h"

static const struct workload workloads[] = {
    {"mnist-grad", {50000, 784, 10}, SUITE_NETWORK | SUITE_SCALING},
    {"mnist-batch64-grad", {64, 784, 128}, SUITE_NETWORK | SUITE_SMOKE | SUITE_OWN_SMALL},
    {"mnist-hidden-grad", {50000, 784, 128}, SUITE_NETWORK | SUITE_OWN | SUITE_SCALING},
};

static const int64_t ragged[][OP_SIZES_MAX] = {
#define RAGGED(rows, terms, columns) {rows, columns, terms},
#include "matmul_ragged.def"
};

static const int64_t far[][OP_SIZES_MAX] = {
    {5500000, 784, 4},  {5500000, 4, 784},     {1, 1048580, 4100},
    {134217732, 32, 1}, {4194304, 4194304, 1}, /* as in matmul_op.c */
};

const struct op matmul_grad_a_op = {
    OP_NAME(matmul_grad_a),
    .sizes = "m k n",
    .args = {{"dC", "m,n", .is_split = true}, {"B", "k,n"}, {"dA", "m,k", .is_output = true, .is_split = true}},
    .formula = "dA[i,p] = dC[i,j] B[p,j]",
    .in_parts = true,
    OP_WORKLOADS,
    OP_LIST(far),
};
