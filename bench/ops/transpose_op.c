/* The operation transpose: y = x^T (bench/table/transpose.h). */
#include "bench/table/transpose.h"
#include "bench/table/op.h"

enum { M, N };

static bool compute(const struct op_piece *piece)
{
    const int64_t m = piece->size[M], n = piece->size[N];
    for (int64_t e = 0; e < piece->count; e++) {
        const int64_t j = (piece->first + e) / m, i = (piece->first + e) % m;
        piece->value[e] = op_read(&piece->inputs[0], i * n + j);
    }
    return true;
}

static const struct workload workloads[] = {
    {"mnist-batch64", {64, 784}, SUITE_NETWORK | SUITE_SMOKE | SUITE_OWN_SMALL},
    {"mnist-images", {50000, 784}, SUITE_NETWORK},
    {"large", {1 << 13, 1 << 13}, SUITE_NETWORK | SUITE_OWN},
};

/* One row, one column, aligned rows of x, of y, of both and of neither, and more tiles, small and
 * large, than the simulator's grids have blocks along y. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1},    {1, 70},   {70, 1},   {5, 67},   {31, 33}, {32, 64},  {36, 31},   {33, 68},
    {131, 37}, {164, 20}, {261, 67}, {260, 68}, {96, 64}, {70, 100}, {132, 260},
};

static const int64_t far[][OP_SIZES_MAX] = {
    {5, 1073741824},
    {1073741824, 5},
    {8, 1073741824},
    {1073741824, 8},
};

const struct op transpose_op = {
    OP_NAME(transpose), .sizes = "m n",   .args = {{"x", "m,n"}, {"y", "n,m", .is_output = true}},
    .compute = compute, .is_exact = true, .takes_any = true,
    OP_WORKLOADS,       OP_LIST(far),
};
