#include "mma_kernels.h"

#include "kernels/launch.h"
#include "kernels/mma.h"

/* Row 0 of a is in lanes 0 to 3, column 0 of b, too; the other lanes have zeros. */
static __global__ void sums_kernel(const mma_sum *in, float *out)
{
    int c = (int)threadIdx.x;
    float d[4] = {}, wide_d[4] = {};
    uint32_t a[4] = {}, wide_a[4] = {}, b[2] = {}, wide_b = 0;
    if (c == 0)
        d[0] = wide_d[0] = in->before;
    if (c < 4) {
        a[0] = __float_as_uint(in->a[c]);
        a[2] = __float_as_uint(in->a[c + 4]);
        b[0] = __float_as_uint(in->b[c]);
        b[1] = __float_as_uint(in->b[c + 4]);
        wide_a[0] = fp16_pair(in->a[2 * c], in->a[2 * c + 1]);
        wide_b = fp16_pair(in->b[2 * c], in->b[2 * c + 1]);
    }
    mma_tf32(d, a, b[0], b[1]);
    mma_fp16(wide_d, wide_a, wide_b, 0);
    if (c == 0) {
        out[0] = d[0];
        out[1] = wide_d[0];
    }
}

const char *mma_sums(const mma_sum *in, float *out)
{
    LAUNCH(sums_kernel, 1, 32, 0, nullptr, in, out);
    return launch_error("mma_sums");
}

static __global__ void roundings_kernel(const float *in, uint32_t *out, int count)
{
    for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x) {
        out[i] = tf32_round(in[i]);
        out[count + i] = fp16_pair(in[i], -in[i]);
    }
}

const char *mma_roundings(const float *in, uint32_t *out, int count)
{
    LAUNCH(roundings_kernel, 1, 32, 0, nullptr, in, out, count);
    return launch_error("mma_roundings");
}
