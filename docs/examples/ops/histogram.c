/* count[b] is how many of the n numbers of x are b. All of them lie from 0 to bins - 1. Counts must be exactly right,
 * and are made together: .piece is all of them. */
#include "bench/table/op.h"

static bool compute(const struct op_piece *piece)
{
    const int64_t n = piece->size[0];
    for (int64_t bin = 0; bin < piece->count; bin++)
        piece->value[bin] = 0;
    for (int64_t i = 0; i < n; i++)
        piece->value[(int64_t)op_read(&piece->inputs[0], i)]++;
    return true;
}

static const struct workload workloads[] = {
    {"small", {5000, 100}}, {"bytes", {1 << 20, 256}}, {"wide", {1 << 18, 1 << 16}}};

const struct op rungbench_op = {
    .name = "histogram",
    .sizes = "n bins",
    .args = {{"x", "n", .type = ELEMENT_INT32, .from = "0", .to = "bins"},
             {"count", "bins", .type = ELEMENT_INT32, .is_output = true}},
    .compute = compute,
    .piece = "bins",
    .is_exact = true,
    .operations = "n",
    .workloads = workloads,
    .workload_count = OP_COUNT(workloads),
};
