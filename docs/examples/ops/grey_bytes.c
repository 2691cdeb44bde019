/* grey = (77 red + 150 green + 29 blue) / 256, rounded down, of pixels that have their three bytes side by side. The
 * weights are those of ITU-R BT.601, 0.299, 0.587 and 0.114, in 1/256. All is done in integers, so each byte must be
 * exactly right. */
#include "bench/table/op.h"

#include <math.h>

static bool compute(const struct op_piece *piece)
{
    const struct op_reader *rgb = &piece->inputs[0];
    for (int64_t i = 0; i < piece->count; i++) {
        const int64_t at = 3 * (piece->first + i);
        const double sum = 77 * op_read(rgb, at) + 150 * op_read(rgb, at + 1) + 29 * op_read(rgb, at + 2);
        piece->value[i] = floor(sum / 256);
    }
    return true;
}

static const struct workload workloads[] = {{"small", {30, 50}}, {"vga", {480, 640}}, {"full-hd", {1080, 1920}}};

const struct op rungbench_op = {
    .name = "grey_bytes",
    .sizes = "h w",
    .args = {{"rgb", "h,w,3", .type = ELEMENT_BYTE}, {"grey", "h,w", .is_output = true, .type = ELEMENT_BYTE}},
    .compute = compute,
    .is_exact = true,
    .operations = "5*h*w",
    .workloads = workloads,
    .workload_count = OP_COUNT(workloads),
};
