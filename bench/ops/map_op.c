/* The operation map: y = max(x, 0), element by element (bench/table/map.h). */
#include "bench/table/map.h"
#include "array_op.h"

enum { X, Y, BUFFERS };

static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    of[X] = (struct array_shape){"x", 1, {workload->size[0]}};
    of[Y] = (struct array_shape){"y", 1, {workload->size[0]}};
    return BUFFERS;
}

/* Nothing is rounded: the answer is exact. */
static bool compute(const struct workload *workload, const struct array_reader inputs[], int64_t first, int64_t count,
                    double *value, double *bound)
{
    (void)workload;
    for (int64_t i = 0; i < count; i++) {
        double x = array_at(&inputs[X], first + i);
        value[i] = x <= 0 ? 0 : x;
        bound[i] = 0;
    }
    return true;
}

static const struct array_rule rule = {
    .flag = {"map-size", "N", "add a map workload of N elements (repeatable)", set_sizes, FILE_NONE},
    .takes_any = true,
    .shapes = shapes,
    .compute = compute,
};

static const struct workload workloads[] = {
    {"mnist-relu", {64 * 128}, SUITE_NETWORK | SUITE_SMOKE},
    {"mnist-hidden-relu", {50000 * 128}, SUITE_NETWORK},
    {"large", {1 << 28}, SUITE_NETWORK},
};

/* Around every number of elements that a vector, a warp or a block takes, and several blocks. */
static const struct workload ragged[] = {
    {SIZES_1(1)},   {SIZES_1(2)},   {SIZES_1(3)},   {SIZES_1(5)},    {SIZES_1(8)},    {SIZES_1(31)},   {SIZES_1(67)},
    {SIZES_1(255)}, {SIZES_1(257)}, {SIZES_1(784)}, {SIZES_1(1023)}, {SIZES_1(1029)}, {SIZES_1(4096)}, {SIZES_1(9001)},
};

/* Little more than 2^31 and 2^32 elements, and vectors of four: an index of 32 bits, or a grid made of one, begins
 * again near 0. */
static const struct workload far[] = {
    {SIZES_1(2147483657)},
    {SIZES_1(4294967305)},
    {SIZES_1(17179869225)},
};

static void far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX])
{
    const int64_t last = 40;
    *end = (struct workload){.name = "its end", .size = {last}};
    windows[X] = windows[Y] = array_end(workload->size[0], last);
}

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    *(struct map_problem *)problem = (struct map_problem){.n = workload->size[0], .x = memory[X], .y = memory[Y]};
}

OP_DEFINE(map, OP_FAR, ARRAY_FUNCTIONS);
