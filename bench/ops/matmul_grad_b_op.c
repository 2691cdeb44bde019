/* The operation matmul_grad_b: dB[k,n] = A[m,k]^T dC[m,n] in FP32, the gradient of C = A B by B. Where A is a batch of
 * inputs and B a layer's weights, training moves the weights along it. */
#include "bench/table/matmul_grad_b.h"
#include "bench/table/op.h"

static const struct workload workloads[] = {
    {"mnist-grad", {50000, 784, 10}, SUITE_NETWORK | SUITE_SCALING},
    {"mnist-batch64-grad", {64, 784, 128}, SUITE_NETWORK | SUITE_SMOKE | SUITE_OWN_SMALL},
    {"mnist-hidden-grad", {50000, 784, 128}, SUITE_NETWORK | SUITE_OWN | SUITE_SCALING},
};

static const int64_t ragged[][OP_SIZES_MAX] = {
#define RAGGED(rows, terms, columns) {terms, rows, columns},
#include "matmul_ragged.def"
};

static const int64_t far[][OP_SIZES_MAX] = {
    {66, 67108869, 4}, /* within the rows of a tile, aligned or not */
    {66, 4, 67108868},
    {2, 134217732, 32},
    {1, 4194304, 4194304}, /* as in matmul_op.c */
};

const struct op matmul_grad_b_op = {
    OP_NAME(matmul_grad_b),
    .sizes = "m k n",
    .args = {{"A", "m,k", .is_split = true, .real = REAL_IMAGES},
             {"dC", "m,n", .is_split = true},
             {"dB", "k,n", .is_output = true}},
    .formula = "dB[p,j] = A[i,p] dC[i,j]",
    .in_parts = true,
    OP_WORKLOADS,
    OP_LIST(far),
};
