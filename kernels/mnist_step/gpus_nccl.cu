/* mnist_step gpus_nccl: the images are shared out, and NCCL adds the gradients.
 *
 * Technique: cublas of this operation on each GPU, up to the gradients, which lie behind each other; one allreduce; the
 * step. What passes the links does not depend on the batch: the gradients of all parameters.
 *
 * What it fixes in cublas: each GPU has a part of the products only.
 *
 * What bounds it: a large batch the products; a small one the allreduce, which begins when all else is done, and the
 * launches, which are as many as on one GPU.
 *
 * Measured, results/h200-x2/scaling.csv:
 *   mnist_step/mnist-step-65536/gpus_nccl/hot 476.3 us */
#include "gpus_step.h"

static const char *find_gradient(const struct cards *cards, int card, void *self)
{
    static const char rung[] = "mnist_step_gpus_nccl";
    const struct mnist_step_problem p = share_of(cards, card, (const struct mnist_step_problem *)self);
    cudaStream_t stream = cards_stream(cards, card);
    struct activations of;
    if (p.batch == 0)
        return no_gradient(&p, stream);
    TRY_CALL(get_activations(&p, 0, &of));
    TRY_CALL(most_products(rung, cublas_sgemm, &p, &of, stream));
    TRY_CALL(cublas_sgemm(stream, true, false, p.inputs, p.hidden, p.batch, p.images, of.hidden_gradient, p.updated));
    return update<false>(rung, &p, &of, stream);
}

const char *mnist_step_gpus_nccl(const void *problem, void *stream)
{
    const struct cards *cards = (const struct cards *)stream;
    struct mnist_step_problem p = *(const struct mnist_step_problem *)problem;
    TRY_CALL(cards_each(cards, cards->count, find_gradient, &p));
    TRY_CALL(add_gradients(cards, &p, 0, mnist_step_parameters(&p), cards->stream));
    return cards_each(cards, cards->count, make_step, &p);
}
