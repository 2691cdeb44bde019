/* The operation matmul_batched (bench/table/matmul_batched.h). */
#include "bench/table/matmul_batched.h"
#include "bench/table/op.h"

static const struct workload workloads[] = {
    {"16-of-28x28", {16, 28, 28, 28}, SUITE_NETWORK},
    {"256-of-28x28", {256, 28, 28, 28}, SUITE_NETWORK},
    {"4096-of-28x28", {4096, 28, 28, 28}, SUITE_NETWORK | SUITE_OWN},
    {"256-of-64x64", {256, 64, 64, 64}, SUITE_NETWORK},
    {"small", {3, 5, 7, 6}, SUITE_SMOKE | SUITE_OWN_SMALL},
};

/* One element, one product, fewer and more products than a block takes; sizes that a thread's tile does not divide,
 * more tiles than a block has threads, and factors that are more than shared memory holds. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1, 1, 1},    {3, 4, 5, 7},   {5, 7, 1, 9},   {2, 1, 17, 1},   {11, 6, 2, 5},
    {2, 28, 28, 28}, {2, 66, 3, 67}, {270, 1, 2, 1}, {4, 2, 1537, 3}, {1, 2, 3079, 2},
};

/* Of each array, and of one product. Then many blocks are left of a grid that is made of 32 bits, too. */
static const int64_t far[][OP_SIZES_MAX] = {
    {3, 2281701389, 2, 2},
    {3, 2, 2, 2281701389},
    {699053, 1, 6144, 1},
    {262147, 128, 12, 128},
};

const struct op matmul_batched_op = {
    OP_NAME(matmul_batched),
    .sizes = "batch m k n",
    .args = {{"A", "batch,m,k"}, {"B", "batch,k,n"}, {"C", "batch,m,n", .is_output = true}},
    .formula = "C[b,i,j] = A[b,i,p] B[b,p,j]",
    OP_WORKLOADS,
    OP_LIST(far),
};
