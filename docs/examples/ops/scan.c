/* y[i] = x[0] + ... + x[i]: the inclusive prefix sum of integers, which must be exactly right. An element needs all
 * before it, so they are computed together: .piece is the whole vector. With |x| <= 1000 nothing overflows up to n = 2
 * million. */
#include "bench/table/op.h"

static bool compute(const struct op_piece *piece)
{
    double sum = 0;
    for (int64_t i = 0; i < piece->count; i++) {
        sum += op_read(&piece->inputs[0], i);
        piece->value[i] = sum;
    }
    return true;
}

static const struct workload workloads[] = {{"small", {5000}}, {"medium", {1 << 16}}, {"large", {1 << 20}}};

/* More than a tile, and than a tile of tiles. */
static const int64_t ragged[][OP_SIZES_MAX] = {{1}, {2}, {31}, {33}, {255}, {256}, {257}, {1025}, {9001}};

const struct op rungbench_op = {
    .name = "scan",
    .sizes = "n",
    .args = {{"x", "n", .type = ELEMENT_INT32, .from = "-1000", .to = "1001"},
             {"y", "n", .type = ELEMENT_INT32, .is_output = true}},
    .compute = compute,
    .piece = "n",
    .is_exact = true,
    .operations = "n",
    OP_WORKLOADS,
};
