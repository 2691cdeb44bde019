/* The operation dot: the dot product of two vectors (bench/table/dot.h). */
#include "bench/table/dot.h"
#include "array_op.h"

static_assert(DOT_N_MAX >= OP_SIZE_LIMIT, "rungs take every size that the flag takes");

enum { X, Y, DOT, BUFFERS };

static size_t shapes(const struct workload *workload, struct array_shape of[OP_BUFFERS_MAX])
{
    of[X] = (struct array_shape){"x", 1, {workload->size[0]}};
    of[Y] = (struct array_shape){"y", 1, {workload->size[0]}};
    of[DOT] = (struct array_shape){"dot", 1, {1}};
    return BUFFERS;
}

static int64_t terms(const struct workload *workload)
{
    return workload->size[0];
}

static int64_t start(const struct workload *workload, size_t input, int64_t element)
{
    (void)workload;
    (void)input;
    return element; /* there is one */
}

static const struct array_rule rule = {
    .flag = {"dot-size", "N", "add a dot workload of two vectors of N elements (repeatable)", set_sizes, FILE_NONE},
    .shapes = shapes,
    .terms = terms,
    .start = start,
};

static const struct workload workloads[] = {
    {"mnist-neuron", {784}, SUITE_NETWORK | SUITE_SMOKE}, /* an image and the weights of a neuron */
    {"mnist-images", {50000 * 784}, SUITE_NETWORK},
    {"large", {1 << 28}, SUITE_NETWORK},
};

/* Around what a vector, a warp and a block take, and several blocks. No far sizes: an answer that is one number needs
 * all of its inputs. */
static const struct workload ragged[] = {
    {SIZES_1(1)},   {SIZES_1(2)},   {SIZES_1(3)},    {SIZES_1(5)},    {SIZES_1(31)},   {SIZES_1(67)},
    {SIZES_1(255)}, {SIZES_1(257)}, {SIZES_1(1029)}, {SIZES_1(2051)}, {SIZES_1(9001)},
};

static void bind(const struct workload *workload, void *const memory[], void *problem)
{
    *(struct dot_problem *)problem =
        (struct dot_problem){.n = workload->size[0], .x = memory[X], .y = memory[Y], .dot = memory[DOT]};
}

OP_DEFINE(dot, ARRAY_FUNCTIONS);
