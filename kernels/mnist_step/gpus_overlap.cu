/* mnist_step gpus_overlap: a part of the gradients passes the links while the next one is computed.
 *
 * Technique: the gradient of the first layer's weights, most of all there is, comes last. It is computed in two halves;
 * what there is before, and the first half, is added on a stream of its own meanwhile.
 *
 * What it fixes in gpus_nccl: the links do not wait for all products.
 *
 * What bounds it: an allreduce of little takes almost as long as one of much, and there are three now. It wins where
 * half of the last product takes longer than one.
 *
 * Measured, results/h200-x2/scaling.csv:
 *   mnist_step/mnist-step-65536/gpus_overlap/hot 476.9 us */
#include "gpus_step.h"

enum { REST, FIRST_HALF, SECOND_HALF, PARTS };

/* A GPU's second stream, and what its parts wait for. */
static struct beside {
    void *stream[CARDS_MAX];
    cudaEvent_t done[PARTS + 1][CARDS_MAX];
} beside;

static const char *make_beside(const struct cards *cards, int card, void *self)
{
    (void)cards, (void)self;
    cudaStream_t stream;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
        return "no second stream";
    for (int part = 0; part <= PARTS; part++)
        if (cudaEventCreateWithFlags(&beside.done[part][card], cudaEventDisableTiming) != cudaSuccess)
            return "no event";
    beside.stream[card] = stream;
    return NULL;
}

/* What `to` does next waits for all that `from` has. */
static const char *follow(int part, int card, void *from, void *to)
{
    cudaEvent_t event = beside.done[part][card];
    return cudaEventRecord(event, (cudaStream_t)from) || cudaStreamWaitEvent((cudaStream_t)to, event, 0)
               ? "a stream cannot wait for another"
               : NULL;
}

struct part {
    const struct mnist_step_problem *whole;
    int number;
};

static const char *find_part(const struct cards *cards, int card, void *self)
{
    static const char rung[] = "mnist_step_gpus_overlap";
    const struct part *part = (const struct part *)self;
    const struct mnist_step_problem p = share_of(cards, card, part->whole);
    const int half = p.inputs / 2, first = part->number == FIRST_HALF ? 0 : half;
    const int rows = part->number == FIRST_HALF ? half : p.inputs - half;
    cudaStream_t stream = cards_stream(cards, card);
    struct activations of;
    if (p.batch == 0) {
        if (part->number == REST)
            TRY_CALL(no_gradient(&p, stream));
        return follow(part->number, card, stream, beside.stream[card]);
    }
    TRY_CALL(get_activations(&p, 0, &of));
    if (part->number == REST) {
        TRY_CALL(most_products(rung, cublas_sgemm, &p, &of, stream));
        TRY_CALL(update<false>(rung, &p, &of, stream));
    } else if (rows > 0) {
        TRY_CALL(cublas_sgemm_of_parts(stream, true, rows, p.hidden, p.batch, p.images + first, p.inputs,
                                       of.hidden_gradient, p.hidden, p.updated + first * p.hidden, p.hidden));
    }
    return follow(part->number, card, stream, beside.stream[card]);
}

static const char *join(const struct cards *cards, int card, void *self)
{
    (void)self;
    return follow(PARTS, card, beside.stream[card], cards->stream[card]);
}

const char *mnist_step_gpus_overlap(const void *problem, void *stream)
{
    const struct cards *cards = (const struct cards *)stream;
    struct mnist_step_problem p = *(const struct mnist_step_problem *)problem;
    const int weights = p.inputs * p.hidden, half = p.inputs / 2 * p.hidden;
    const int begin[] = {weights, 0, half}, end[] = {mnist_step_parameters(&p), half, weights};
    if (!beside.stream[cards->count - 1])
        TRY_CALL(cards_each(cards, cards->count, make_beside, NULL));
    for (int number = 0; number < PARTS; number++) {
        struct part part = {&p, number};
        TRY_CALL(cards_each(cards, cards->count, find_part, &part));
        if (end[number] > begin[number])
            TRY_CALL(add_gradients(cards, &p, begin[number], end[number] - begin[number], beside.stream));
    }
    TRY_CALL(cards_each(cards, cards->count, join, NULL));
    return cards_each(cards, cards->count, make_step, &p);
}
