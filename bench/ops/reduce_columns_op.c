/* The operation reduce_columns: y[j] is the sum of column j of x (bench/table/reduce_columns.h). */
#include "bench/table/reduce_columns.h"
#include "bench/table/op.h"

static const struct workload workloads[] = {
    {"mnist-bias", {64, 10}, SUITE_NETWORK | SUITE_SMOKE | SUITE_OWN_SMALL}, /* the gradient of a layer's bias */
    {"mnist-mean", {50000, 784}, SUITE_NETWORK | SUITE_OWN},                 /* over the images: the mean image */
    {"large", {1 << 18, 1 << 10}, SUITE_NETWORK},
};

/* Fewer and more columns than a block takes, aligned rows and others, such as several blocks share, and more rows for
 * each of them than it takes in a turn. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1},   {3, 1},   {1, 70},   {5, 67},   {10, 31},   {257, 3},   {33, 64},
    {2, 519}, {3, 772}, {1031, 4}, {519, 37}, {181, 515}, {44, 3085},
};

static const int64_t far[][OP_SIZES_MAX] = {{5, 1073741824}};

const struct op reduce_columns_op = {
    OP_NAME(reduce_columns),    .sizes = "m n", .args = {{"x", "m,n"}, {"y", "n", .is_output = true}},
    .formula = "y[j] = x[i,j]", OP_WORKLOADS,   OP_LIST(far),
};
