/* The sum of a vector. An array without letters has a single element. The bound follows from the formula
 * (bench/ops/sums.h). */
#include "bench/table/op.h"

static const struct workload workloads[] = {{"small", {10000}}, {"medium", {1 << 17}}, {"large", {1 << 20}}};

const struct op rungbench_op = {
    .name = "sum",
    .sizes = "n",
    .args = {{"x", "n"}, {"sum", "1", .is_output = true}},
    .formula = "sum[] = x[i]",
    .workloads = workloads,
    .workload_count = OP_COUNT(workloads),
};
