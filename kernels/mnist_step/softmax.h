/* Softmax and its gradient, for one image by one warp. */
#pragma once

#include "kernels/sums.h"

/* Each of `classes` logits z becomes softmax(z) * (the sum of the labels) - its label. All lanes of a warp call it;
 * each reads and writes every 32nd, from its own on. */
static __device__ __forceinline__ void softmax_gradient(int classes, const float *labels, float *z)
{
    constexpr int LANES = 32;
    const int lane = (int)threadIdx.x % LANES;
    float largest = -INFINITY, sum = 0, weight = 0;
    for (int c = lane; c < classes; c += LANES)
        largest = fmaxf(largest, z[c]);
    largest = warp_maximum<LANES>(largest);
    for (int c = lane; c < classes; c += LANES) {
        z[c] = expf(z[c] - largest);
        sum += z[c];
        weight += labels[c];
    }
    sum = warp_sum<LANES>(sum);
    weight = warp_sum<LANES>(weight);
    for (int c = lane; c < classes; c += LANES)
        z[c] = z[c] / sum * weight - labels[c];
}
