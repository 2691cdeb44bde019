/* The operation map: y = max(x, 0), element by element (bench/table/map.h). */
#include "bench/table/map.h"
#include "array_rule.h"

#include <assert.h>

static_assert(sizeof(struct map_problem) <= OP_PROBLEM_BYTES_MAX, "a problem must fit into struct buffers");

enum { X, Y, BUFFERS };

static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    of[X] = (struct array_shape){"x", 1, {workload->size[0]}};
    of[Y] = (struct array_shape){"y", 1, {workload->size[0]}};
    return BUFFERS;
}

/* Nothing is added or multiplied. */
static double flops(const struct workload *workload)
{
    (void)workload;
    return 0;
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
    .flag = "map-size",
    .sizes = "N",
    .takes_any = true,
    .shapes = shapes,
    .flops = flops,
    .compute = compute,
};

#include "array_op.h"

static const struct workload workloads[] = {
    {"mnist-relu", {64 * 128}, SUITE_NETWORK | SUITE_SMOKE},
    {"mnist-hidden-relu", {50000 * 128}, SUITE_NETWORK},
    {"large", {1 << 28}, SUITE_NETWORK},
};

/* Around every number of elements that a vector, a warp or a block takes, and several blocks. */
static const struct workload ragged[] = {
    {"1", {1}, 0},       {"2", {2}, 0},       {"3", {3}, 0},       {"5", {5}, 0},       {"8", {8}, 0},
    {"31", {31}, 0},     {"67", {67}, 0},     {"255", {255}, 0},   {"257", {257}, 0},   {"784", {784}, 0},
    {"1023", {1023}, 0}, {"1029", {1029}, 0}, {"4096", {4096}, 0}, {"9001", {9001}, 0},
};

/* Little more than 2^31 and 2^32 elements, and vectors of four: an index of 32 bits, or a grid made of one, begins
 * again near 0. */
static const struct workload far[] = {
    {"2147483657", {INT64_C(2147483657)}, 0},
    {"4294967305", {INT64_C(4294967305)}, 0},
    {"17179869225", {INT64_C(17179869225)}, 0},
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

static const struct op_flag flags[] = {
    {"map-size", "N", "add a map workload of N elements (repeatable)", set_sizes, FILE_NONE},
};

const struct op map_op;
const struct op map_op = {OP_TABLES(map), OP_FAR, ARRAY_FUNCTIONS};
