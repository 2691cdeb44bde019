/* The largest number of each row, and where the first such number stands: two outputs, both exactly right. */
#include "bench/table/op.h"

enum { X, VALUE, COLUMN };

static bool compute(const struct op_piece *piece)
{
    const int64_t n = piece->size[1];
    for (int64_t i = 0; i < piece->count; i++) {
        const int64_t row = (piece->first + i) * n;
        int64_t best = 0;
        for (int64_t j = 1; j < n; j++)
            if (op_read(&piece->inputs[X], row + j) > op_read(&piece->inputs[X], row + best))
                best = j;
        piece->value[i] = piece->output == COLUMN ? (double)best : op_read(&piece->inputs[X], row + best);
    }
    return true;
}

static const struct workload workloads[] = {{"small", {30, 50}}, {"classes", {10000, 10}}, {"long", {1000, 10000}}};

const struct op rungbench_op = {
    .name = "best",
    .sizes = "m n",
    .args = {{"x", "m,n"},
             {"value", "m", .is_output = true},
             {"column", "m", .type = ELEMENT_INT32, .is_output = true}},
    .compute = compute,
    .is_exact = true,
    .operations = "m*n",
    .workloads = workloads,
    .workload_count = OP_COUNT(workloads),
};
