/* A picture of one channel, h x w, convolved with a filter of kh x kw. As in networks the filter is not turned, and
 * there is no padding: the output has the places where the whole filter fits. The bound follows from the formula
 * (bench/ops/sums.h). */
#include "bench/table/op.h"

static const struct workload workloads[] = {{"small", {40, 50, 3, 3}}, {"blur", {480, 640, 5, 5}}};

/* Pictures of one pixel, filters as large as the picture, and what no block of threads divides. */
static const int64_t ragged[][OP_SIZES_MAX] = {
    {1, 1, 1, 1},   {7, 5, 7, 5},   {5, 7, 2, 3},    {33, 31, 1, 5},   {31, 33, 5, 1},
    {16, 16, 3, 3}, {17, 65, 4, 2}, {70, 130, 7, 6}, {3, 200, 3, 199}, {200, 3, 17, 2},
};

const struct op rungbench_op = {
    .name = "convolution",
    .sizes = "h w kh kw",
    .args = {{"x", "h,w"}, {"f", "kh,kw"}, {"y", "h-kh+1,w-kw+1", .is_output = true}},
    .formula = "y[i,j] = x[i+u,j+v] f[u,v]",
    OP_WORKLOADS,
};
