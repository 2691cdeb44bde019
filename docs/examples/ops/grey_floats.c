/* grey = 0.299 red + 0.587 green + 0.114 blue, the weights of ITU-R BT.601, of pixels that have their three floats side
 * by side.
 *
 * The bound: a sum of three products is off by at most 3 u / (1 - 3 u) times the sum of their sizes, with u = 2^-24, in
 * whatever order (N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.1). Each weight is
 * rounded to a float, which adds another u. A product that underflows is off by at most half of 2^-149. */
#include "bench/table/op.h"

#include <math.h>

static bool compute(const struct op_piece *piece)
{
    static const double weight[] = {0.299, 0.587, 0.114};
    for (int64_t i = 0; i < piece->count; i++) {
        double sum = 0, magnitude = 0;
        for (int64_t colour = 0; colour < 3; colour++) {
            const double term = weight[colour] * op_read(&piece->inputs[0], 3 * (piece->first + i) + colour);
            sum += term;
            magnitude += fabs(term);
        }
        piece->value[i] = sum;
        piece->bound[i] = 4.001 * 0x1p-24 * magnitude + 3 * 0x1p-150;
    }
    return true;
}

static const struct workload workloads[] = {{"small", {30, 50}}, {"vga", {480, 640}}, {"full-hd", {1080, 1920}}};

const struct op rungbench_op = {
    .name = "grey_floats",
    .sizes = "h w",
    .args = {{"rgb", "h,w,3"}, {"grey", "h,w", .is_output = true}},
    .compute = compute,
    .operations = "5*h*w",
    .workloads = workloads,
    .workload_count = OP_COUNT(workloads),
};
