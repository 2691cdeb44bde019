/* The operation allreduce: y is the sum of the arrays of several cards, and all of them get it
 * (bench/table/allreduce.h). What is passed is counted as by NVIDIA's nccl-tests (doc/PERFORMANCE.md, "AllReduce"). */
#include "bench/table/allreduce.h"
#include "bench/table/op.h"

enum { KIB = 1 << 8, MIB = 1 << 18, GIB = 1 << 28 }; /* elements */

static const struct workload workloads[] = {
    {"4-b", {2, 1}, SUITE_SCALING},
    {"1-kib", {2, KIB}, SUITE_SCALING | SUITE_SMOKE | SUITE_OWN_SMALL},
    {"32-kib", {2, 32 * KIB}, SUITE_SCALING},
    {"mnist-gradients", {2, 101770}, SUITE_SCALING}, /* of mnist_step with 784 inputs, 128 hidden units, 10 classes */
    {"1-mib", {2, MIB}, SUITE_SCALING},
    {"8-mib", {2, 8 * MIB}, SUITE_SCALING},
    {"64-mib", {2, 64 * MIB}, SUITE_SCALING | SUITE_OWN},
    {"1-gib", {2, GIB}, SUITE_SCALING},
    {"1-mib-by-4", {4, MIB}, SUITE_SCALING},
    {"64-mib-by-4", {4, 64 * MIB}, SUITE_SCALING},
    {"1-mib-by-8", {8, MIB}, SUITE_SCALING},
    {"64-mib-by-8", {8, 64 * MIB}, SUITE_SCALING},
};

/* One card and many, fewer elements than cards, parts of unequal length, rows that are aligned and others. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1}, {2, 1}, {3, 2}, {2, 67}, {1, 300}, {2, 4096}, {4, 1001}, {2, 12289}, {8, 36}, {3, 5000}, {2, 300004},
};

const struct op allreduce_op = {
    OP_NAME(allreduce),
    .sizes = "cards n",
    .args = {{"x", "cards,n", .is_split = true}, {"y", "n", .is_output = true}},
    .formula = "y[i] = x[r,i]",
    .message = "4*n",
    .passed = "2*(cards-1)",
    OP_WORKLOADS,
};
