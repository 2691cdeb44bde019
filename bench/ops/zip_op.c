/* The operation zip: y = a x + z, element by element, where z is seen through a view (bench/table/zip.h). */
#include "bench/table/zip.h"
#include "bench/table/op.h"

#include <math.h>

enum { M, N, VIEW };
enum { VIEW_whole = 1, VIEW_row, VIEW_column, VIEW_transposed }; /* sizes of VIEW */
static const char *const views[] = {"whole", "row", "column", "transposed", NULL};

/* Where a product of FP32 is exact, so is the sum before it is rounded, and double precision rounds a sum of two FP32
 * numbers so that rounding it again to FP32 changes nothing (S. Figueroa, "When is double rounding innocuous?", 1995).
 * Half of an odd subnormal number is not exact, and may be rounded by itself. */
static bool compute(const struct op_piece *piece)
{
    const int64_t m = piece->size[M], n = piece->size[N];
    for (int64_t e = 0; e < piece->count; e++) {
        const int64_t i = (piece->first + e) / n, j = (piece->first + e) % n;
        const int64_t z[] = {
            [VIEW_whole] = i * n + j, [VIEW_row] = j, [VIEW_column] = i, [VIEW_transposed] = j * m + i};
        const double product = (double)ZIP_A * op_read(&piece->inputs[0], piece->first + e);
        piece->value[e] = (float)(product + op_read(&piece->inputs[1], z[piece->size[VIEW]]));
        piece->bound[e] = (float)product == product ? 0 : 0x1p-149 + 0x1p-23 * fabs(piece->value[e]);
    }
    return true;
}

static const struct workload workloads[] = {
    {"mnist-whole", {64, 784, VIEW_whole}, SUITE_NETWORK | SUITE_OWN_SMALL},
    {"mnist-row", {64, 784, VIEW_row}, SUITE_NETWORK | SUITE_SMOKE},
    {"mnist-column", {64, 784, VIEW_column}, SUITE_NETWORK},
    {"mnist-transposed", {64, 784, VIEW_transposed}, SUITE_NETWORK},
    {"mnist-hidden-whole", {50000, 128, VIEW_whole}, SUITE_NETWORK | SUITE_OWN},
    {"mnist-hidden-row", {50000, 128, VIEW_row}, SUITE_NETWORK}, /* the hidden layer's bias */
    {"mnist-hidden-column", {50000, 128, VIEW_column}, SUITE_NETWORK},
    {"mnist-hidden-transposed", {50000, 128, VIEW_transposed}, SUITE_NETWORK},
    {"large-whole", {1 << 13, 1 << 13, VIEW_whole}, SUITE_NETWORK},
    {"large-row", {1 << 13, 1 << 13, VIEW_row}, SUITE_NETWORK},
    {"large-column", {1 << 13, 1 << 13, VIEW_column}, SUITE_NETWORK},
    {"large-transposed", {1 << 13, 1 << 13, VIEW_transposed}, SUITE_NETWORK},
};

/* Of each view one row, one column, aligned rows and others, and more rows than the simulator's grids have blocks for
 * along y; of the transposed one also more large tiles. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1, VIEW_whole},         {1, 131, VIEW_whole},      {37, 67, VIEW_whole},       {3, 391, VIEW_whole},
    {5, 132, VIEW_whole},       {1, 131, VIEW_row},        {70, 1, VIEW_row},          {5, 67, VIEW_row},
    {37, 132, VIEW_row},        {1, 131, VIEW_column},     {70, 1, VIEW_column},       {37, 67, VIEW_column},
    {5, 132, VIEW_column},      {1, 130, VIEW_transposed}, {70, 1, VIEW_transposed},   {33, 68, VIEW_transposed},
    {36, 5, VIEW_transposed},   {68, 36, VIEW_transposed}, {131, 37, VIEW_transposed}, {261, 67, VIEW_transposed},
    {260, 68, VIEW_transposed},
};

static const int64_t far[][OP_SIZES_MAX] = {
    {5, 1073741824, VIEW_whole},      {1073741824, 5, VIEW_row},        {5, 1073741824, VIEW_column},
    {1073741824, 5, VIEW_transposed}, {5, 1073741824, VIEW_transposed}, {1073741824, 8, VIEW_transposed},
    {8, 1073741824, VIEW_transposed},
};

const struct op zip_op = {
    OP_NAME(zip),
    .sizes = "m n view",
    .words = views,
    .members = "m n z_row z_column",
    .member_values = "m,n,n,1|m,n,0,1|m,n,1,0|m,n,1,m",
    .args = {{"x", "m,n"}, {"z", "m,n|1,n|1,m|n,m"}, {"y", "m,n", .is_output = true}},
    .compute = compute,
    .operations = "2*m*n",
    .takes_any = true,
    OP_WORKLOADS,
    OP_LIST(far),
};
