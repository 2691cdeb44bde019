/* What the kernels of a step share: what it keeps of its batch in the GPU's memory, and softmax with its gradient. */
#pragma once

#include "bench/table/backend.h"
#include "bench/table/mnist_step.h"
#include "kernels/sums.h"
#include "kernels/workspace.h"

/* Gradients are those of each image's loss by what is put into relu and softmax. */
struct activations {
    float *hidden, *hidden_gradient; /* batch x hidden */
    float *class_gradient;           /* batch x classes */
    float *more;                     /* as many floats as the rung has asked for */
};

static inline const char *get_activations(const struct mnist_step_problem *p, size_t more, struct activations *to)
{
    const size_t hidden = (size_t)p->batch * (size_t)p->hidden, classes = (size_t)p->batch * (size_t)p->classes;
    void *memory;
    TRY_CALL(workspace_get((2 * hidden + classes + more) * sizeof(float), &memory));
    to->more = (float *)memory;
    to->hidden = to->more + more;
    to->hidden_gradient = to->hidden + hidden;
    to->class_gradient = to->hidden_gradient + hidden;
    return NULL;
}

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
