/* What the kernels of a step share: what it keeps of its batch in the GPU's memory, and softmax with its gradient. */
#pragma once

#include "bench/table/mnist_step.h"
#include "kernels/sums.h"

/* Gradients are those of each image's loss by what is put into relu and softmax. */
static __device__ float hidden[MNIST_STEP_ACTIVATIONS_MAX], hidden_gradient[MNIST_STEP_ACTIVATIONS_MAX];
static __device__ float class_gradient[MNIST_STEP_ACTIVATIONS_MAX];

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
