/* The second launch where blocks that cannot wait for each other share k: each has made a C of its part of the sums. */
#pragma once

#include "kernels/launch.h"

/* c has `count` elements, and `from` so many for each of the parts, one after the other. */
static __global__ void __launch_bounds__(256)
    matmul_add_parts_kernel(int64_t count, int parts, const float *from, float *c)
{
    const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
    wait_for_last_launch();
    if (i >= count)
        return;
    float sum = 0;
#pragma unroll 32 /* loads that do not wait for each other */
    for (int part = 0; part < parts; part++)
        sum += from[part * count + i];
    c[i] = sum;
}

static inline const char *add_parts(const char *rung, int64_t count, unsigned parts, const float *from, float *c,
                                    cudaStream_t stream)
{
    TRY_CALL(grid_x_error(rung, ceil_div(count, 256)));
    LAUNCH_EARLY(matmul_add_parts_kernel, (unsigned)ceil_div(count, 256), 256, 0, stream, count, (int)parts, from, c);
    return launch_error(rung);
}
