/* Softmax and its gradient, for one image by one warp. */
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

/* Each of `classes` logits z becomes softmax(z) * (the sum of the labels) - its label. All lanes of a warp call it;
 * each reads and writes every 32nd, from its own on. */
static __device__ __forceinline__ void softmax_gradient(int classes, const float *labels, float *z)
{
    constexpr int LANES = 32;
    const int lane = (int)threadIdx.x % LANES;
    float largest = -INFINITY, sum = 0, weight = 0;
    for (int c = lane; c < classes; c += LANES)
        largest = fmaxf(largest, z[c]);
    for (int other = LANES / 2; other > 0; other /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, other));
    for (int c = lane; c < classes; c += LANES) {
        z[c] = expf(z[c] - largest);
        sum += z[c];
        weight += labels[c];
    }
    for (int other = LANES / 2; other > 0; other /= 2) {
        sum += __shfl_xor_sync(0xFFFFFFFF, sum, other);
        weight += __shfl_xor_sync(0xFFFFFFFF, weight, other);
    }
    for (int c = lane; c < classes; c += LANES)
        z[c] = z[c] / sum * weight - labels[c];
}
