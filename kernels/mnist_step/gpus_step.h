/* Data parallelism: each GPU has a share of the images, and all parameters. Gradients are added over all GPUs, and each
 * of them makes the same step. */
#pragma once

#include "by_products.h"
#include "kernels/cards.h"
#include "kernels/cublas_sgemm.h"
#include "kernels/nccl_cards.h"

/* What a GPU has of the problem: its images, and its own copy of the rest. */
static inline struct mnist_step_problem share_of(const struct cards *cards, int card,
                                                 const struct mnist_step_problem *whole)
{
    struct mnist_step_problem p = *whole;
    const int64_t first = cards_row(cards->count, p.batch, card);
    p.batch = (int)(cards_row(cards->count, p.batch, card + 1) - first);
    p.images = (const float *)cards_at(cards, card, p.images + first * p.inputs);
    p.labels = (const float *)cards_at(cards, card, p.labels + first * p.classes);
    p.parameters = (const float *)cards_at(cards, card, p.parameters);
    p.updated = (float *)cards_at(cards, card, p.updated);
    return p;
}

/* updated = parameters - rate * the gradient that lies in `updated` */
static __global__ void step_kernel(int count, float rate, const float *parameters, float *updated)
{
    const int e = (int)blockIdx.x * STEP_THREADS + (int)threadIdx.x;
    if (e < count)
        updated[e] = parameters[e] - rate * updated[e];
}

static inline const char *make_step(const struct cards *cards, int card, void *self)
{
    const struct mnist_step_problem *whole = (const struct mnist_step_problem *)self;
    const struct mnist_step_problem p = share_of(cards, card, whole);
    const int count = mnist_step_parameters(&p);
    return TRY_LAUNCH("mnist_step on several GPUs", step_kernel, blocks_for(count, STEP_THREADS), STEP_THREADS, 0,
                      cards->stream[card], count, MNIST_STEP_RATE / (float)whole->batch, p.parameters, p.updated);
}

/* A GPU without images has nothing to add. */
static inline const char *no_gradient(const struct mnist_step_problem *p, cudaStream_t stream)
{
    (void)cudaMemsetAsync(p->updated, 0, (size_t)mnist_step_parameters(p) * sizeof(float), stream);
    return launch_error("mnist_step on several GPUs");
}

/* Adds what lies from `first` on in `updated`, on these streams. */
static inline const char *add_gradients(const struct cards *cards, const struct mnist_step_problem *whole, int first,
                                        int count, void *const stream[])
{
    float *gradient = whole->updated + first;
    return nccl_sum(cards, cards->count, gradient, 0, gradient, (size_t)count, stream);
}
