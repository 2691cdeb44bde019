/* The operation dot: the dot product of two vectors (bench/table/dot.h). */
#include "bench/table/dot.h"
#include "bench/table/op.h"

static const struct workload workloads[] = {
    {"mnist-neuron", {784}, SUITE_NETWORK | SUITE_SMOKE | SUITE_OWN_SMALL}, /* an image and the weights of a neuron */
    {"mnist-images", {50000 * 784}, SUITE_NETWORK | SUITE_OWN},
    {"large", {1 << 28}, SUITE_NETWORK},
};

/* Around what a vector, a warp and a block take, and several blocks. No far sizes: an answer that is one number needs
 * all of its inputs. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1}, {2}, {3}, {5}, {31}, {67}, {255}, {257}, {1029}, {2051}, {9001}, {70001},
};

const struct op dot_op = {
    OP_NAME(dot),
    .sizes = "n",
    .args = {{"x", "n"}, {"y", "n"}, {"dot", "1", .is_output = true}},
    .formula = "dot[] = x[i] y[i]",
    OP_WORKLOADS,
};
