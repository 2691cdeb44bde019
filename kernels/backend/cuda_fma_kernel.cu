/* The kernel of the FMA ceiling: arithmetic alone. Not a rung. */
#include "cuda_kernels.h"

#include <cuda_runtime.h>

/* Each point turns a little per step: x += e y, then y -= e x. It stays on an ellipse, so the numbers neither settle
 * nor overflow, and the bits change all the time, as in a rung. Constant numbers take less power, and a GPU at its
 * power limit would run faster on them than on real work.
 *
 * The four points of a thread do not depend on each other. A step of a point is two multiply-adds, one after the other.
 */
static __global__ void __launch_bounds__(CUDA_FMA_THREADS) fma_kernel(uint32_t steps, uint32_t *sink)
{
    float e = 0.37f + 1e-4f * (float)threadIdx.x; /* not a constant: real kernels have their factors in registers */
    constexpr int POINTS = CUDA_FMA_STEP / 2;
    float x[POINTS], y[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = 1.0f + 0.01f * (float)threadIdx.x;
        y[i] = 0.1f * (float)(i + 1);
    }
#pragma unroll 64
    for (uint32_t step = 0; step < steps; step++) {
#pragma unroll
        for (int i = 0; i < POINTS; i++)
            x[i] = fmaf(e, y[i], x[i]);
#pragma unroll
        for (int i = 0; i < POINTS; i++)
            y[i] = fmaf(-e, x[i], y[i]);
    }
    float sum = 0;
    for (int i = 0; i < POINTS; i++)
        sum += x[i] + y[i];
    if (sum > 1e30f) /* never true, but the compiler cannot know that */
        *sink = __float_as_uint(sum);
}

cudaError_t cuda_queue_fma(int blocks, uint32_t steps, struct cuda_scratch *scratch, cudaStream_t stream)
{
    fma_kernel<<<blocks, CUDA_FMA_THREADS, 0, stream>>>(steps, &scratch->sink);
    return cudaGetLastError();
}
