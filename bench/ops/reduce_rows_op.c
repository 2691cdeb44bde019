/* The operation reduce_rows: y[i] is the sum of row i of x (bench/table/reduce_rows.h). */
#include "bench/table/reduce_rows.h"
#include "bench/table/op.h"

static const struct workload workloads[] = {
    {"mnist-valid5", {5, 784}, SUITE_NETWORK | SUITE_SMOKE | SUITE_OWN_SMALL},
    {"mnist", {50000, 784}, SUITE_NETWORK | SUITE_OWN},
    {"mnist-all", {1, 50000 * 784}, SUITE_NETWORK},
    {"large", {1, 1 << 28}, SUITE_NETWORK},
};

/* Rows shorter and longer than vectors, warps and blocks, and such as several blocks share. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1},   {1, 3},   {70, 1},   {67, 5},   {31, 10},  {13, 32},  {7, 67},
    {3, 257}, {2, 517}, {1, 1029}, {3, 2053}, {2, 4099}, {2, 1021}, {1, 65603},
};

static const int64_t far[][OP_SIZES_MAX] = {{1073741824, 5}};

const struct op reduce_rows_op = {
    OP_NAME(reduce_rows),
    .sizes = "m n",
    .args = {{"x", "m,n"}, {"y", "m", .is_output = true}},
    .formula = "y[i] = x[i,j]",
    OP_WORKLOADS,
    OP_LIST(far),
    .far_end = 4,
};
