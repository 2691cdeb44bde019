/* The operation matmul: C[m,n] = A[m,k] B[k,n] in FP32. */
#include "bench/table/matmul.h"
#include "bench/table/op.h"

static const struct workload workloads[] = {
    {"mnist", {50000, 784, 10}, SUITE_MNIST | SUITE_LECTURE | SUITE_GATE_LONG | SUITE_GATE_FEW},
    {"mnist-valid5", {5, 784, 10}, SUITE_MNIST | SUITE_LECTURE | SUITE_SMOKE | SUITE_GATE_SHORT | SUITE_GATE_FEW},
    {"mnist-batch64", {64, 784, 128}, SUITE_MNIST | SUITE_GATE_SHORT | SUITE_GATE_FEW | SUITE_GATE_CPU},
    {"mnist-hidden", {50000, 784, 128}, SUITE_MNIST},
    {"lecture5", {5120, 256, 5120}, SUITE_LECTURE},
    {"square-64", {64, 64, 64}, SUITE_OWN_SMALL},
    {"square-128", {128, 128, 128}, SUITE_SWEEP},
    {"square-256", {256, 256, 256}, SUITE_SWEEP},
    {"square-512", {512, 512, 512}, SUITE_SWEEP},
    {"square-1024", {1024, 1024, 1024}, SUITE_SWEEP | SUITE_SCALING | SUITE_OWN},
    {"square-2048", {2048, 2048, 2048}, SUITE_SWEEP | SUITE_SCALING},
    {"square-4096", {4096, 4096, 4096}, SUITE_SWEEP | SUITE_SCALING},
    {"square-8192", {8192, 8192, 8192}, SUITE_SWEEP | SUITE_SCALING},
};

static const int64_t ragged[][OP_SIZES_MAX] = {
#define RAGGED(rows, terms, columns) {rows, terms, columns},
#include "matmul_ragged.def"
};

/* Two sizes have little more than 2^31, of A and of C, for kernels that leave narrow products to others
 * (fp16x3_wgmma.cu); of another 3 rows of B together have. The last has 2^31 blocks of 6,144 elements: grids end there.
 */
static const int64_t far[][OP_SIZES_MAX] = {
    {5500000, 784, 4},    {1, 4100, 1048560},  {134217732, 1, 32},    {33554436, 64, 64},
    {16777220, 128, 132}, {1, 260, 800000000}, {4194304, 1, 4194304},
};

const struct op matmul_op = {
    OP_NAME(matmul),
    .sizes = "m k n",
    .args = {{"A", "m,k", .real = REAL_IMAGES}, {"B", "k,n"}, {"C", "m,n", .is_output = true}},
    .formula = "C[i,j] = A[i,p] B[p,j]",
    .in_parts = true,
    OP_WORKLOADS,
    OP_LIST(far),
};
