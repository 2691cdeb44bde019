/* The operation map: y = max(x, 0), element by element (bench/table/map.h). */
#include "bench/table/map.h"
#include "bench/table/op.h"

static bool compute(const struct op_piece *piece)
{
    for (int64_t i = 0; i < piece->count; i++) {
        const double x = op_read(&piece->inputs[0], piece->first + i);
        piece->value[i] = x <= 0 ? 0 : x;
    }
    return true;
}

static const struct workload workloads[] = {
    {"mnist-relu", {64 * 128}, SUITE_NETWORK | SUITE_SMOKE | SUITE_OWN_SMALL},
    {"mnist-hidden-relu", {50000 * 128}, SUITE_NETWORK | SUITE_OWN},
    {"large", {1 << 28}, SUITE_NETWORK},
};

/* Around every number of elements that a vector, a warp or a block takes, and several blocks. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1}, {2}, {3}, {5}, {8}, {31}, {67}, {255}, {257}, {784}, {1023}, {1029}, {4096}, {9001},
};

/* Little more than 2^31 and 2^32 elements, and vectors of four. */
static const int64_t far[][OP_SIZES_MAX] = {
    {2147483657},
    {4294967305},
    {17179869225},
};

const struct op map_op = {
    OP_NAME(map),       .sizes = "n",     .args = {{"x", "n"}, {"y", "n", .is_output = true}},
    .compute = compute, .is_exact = true, .takes_any = true,
    OP_WORKLOADS,       OP_LIST(far),
};
