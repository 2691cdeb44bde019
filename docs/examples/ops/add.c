/* y[i] = a[i] + b[i].
 *
 * The bound: one addition, rounded to the nearest, is off by at most u = 2^-24 times the sum (N. Higham, "Accuracy and
 * Stability of Numerical Algorithms", 2nd ed., section 2.2). */
#include "bench/table/op.h"

#include <math.h>

static bool compute(const struct op_piece *piece)
{
    const struct op_reader *a = &piece->inputs[0], *b = &piece->inputs[1];
    for (int64_t i = 0; i < piece->count; i++) {
        piece->value[i] = op_read(a, piece->first + i) + op_read(b, piece->first + i);
        piece->bound[i] = 0x1p-24 * fabs(piece->value[i]);
    }
    return true;
}

static const struct workload workloads[] = {{"small", {10000}}, {"medium", {1 << 17}}, {"large", {1 << 20}}};

const struct op rungbench_op = {
    .name = "add",
    .sizes = "n",
    .args = {{"a", "n"}, {"b", "n"}, {"y", "n", .is_output = true}},
    .compute = compute,
    .operations = "n",
    .workloads = workloads,
    .workload_count = OP_COUNT(workloads),
};
