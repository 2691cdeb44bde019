/* y = A x, where A is sparse: m rows in the form CSR. Row i has the elements value[e] in the columns column[e], with e
 * from row[i] to row[i+1] - 1. Columns come in no order, and some rows are empty.
 *
 * The bound: a sum of t products is off by at most t u / (1 - t u) times the sum of their sizes, with u = 2^-24, in
 * whatever order (N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.1). Twice that is
 * enough up to t = 2^23. A product that underflows is off by at most 2^-150. */
#include "bench/table/op.h"

#include <math.h>

static bool compute(const struct op_piece *piece)
{
    const struct op_reader *row = &piece->inputs[0], *column = &piece->inputs[1];
    const struct op_reader *value = &piece->inputs[2], *x = &piece->inputs[3];
    for (int64_t i = 0; i < piece->count; i++) {
        const int64_t begin = (int64_t)op_read(row, piece->first + i);
        const int64_t end = (int64_t)op_read(row, piece->first + i + 1);
        double sum = 0, magnitude = 0;
        for (int64_t e = begin; e < end; e++) {
            const double term = op_read(value, e) * op_read(x, (int64_t)op_read(column, e));
            sum += term;
            magnitude += fabs(term);
        }
        piece->value[i] = sum;
        piece->bound[i] = (double)(end - begin) * (0x1p-23 * magnitude + 0x1p-150);
    }
    return true;
}

static const struct workload workloads[] = {{"small", {50, 40, 600}}, {"large", {10000, 10000, 500000}}};

/* Rows that are empty, of a few elements, and longer than a warp. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1, 1}, {7, 33, 5}, {33, 16, 64}, {5, 9, 1000}, {130, 31, 257},
};

const struct op rungbench_op = {
    .name = "csr",
    .sizes = "m n nonzero",
    .args = {{"row", "m+1", .type = ELEMENT_INT32, .from = "0", .to = "nonzero", .order = ORDER_SORTED},
             {"column", "nonzero", .type = ELEMENT_INT32, .from = "0", .to = "n"},
             {"value", "nonzero"},
             {"x", "n"},
             {"y", "m", .is_output = true}},
    .compute = compute,
    .operations = "2*nonzero",
    OP_WORKLOADS,
};
