/* allreduce gpus_copy: each GPU copies the arrays of all others, then adds them to its own.
 *
 * Technique: the copies are the driver's. Events order the streams: nobody copies an array before its GPU has come to
 * the call, and no GPU goes on before all have copied its array.
 *
 * What bounds it: with two GPUs the links, through which each array passes once (64 MiB take 150 us at 450 GB/s), and
 * then memory: the copy is written and read, the GPU's own array read, the sum written (64 us at 4.2 TB/s). With more
 * of them the links: each has to pass the whole array to all others, and not only its part of the sum. For small
 * arrays, launches and events.
 *
 * Measured, results/h200-x2/scaling.csv:
 *   allreduce/1-mib/gpus_copy/hot 30.62 us
 *   allreduce/64-mib/gpus_copy/hot 274.1 us */
#include "add_rows.h"
#include "kernels/workspace.h"

static const char *copy_and_add(const struct cards *cards, int card, void *self)
{
    const struct allreduce_problem *p = (const struct allreduce_problem *)self;
    const size_t bytes = (size_t)p->n * sizeof(float);
    void *memory;
    TRY_CALL(workspace_get((size_t)p->cards * bytes, &memory));
    char *to = (char *)memory;
    for (int other = 0; other < p->cards; other++)
        if (other != card) {
            (void)cudaMemcpyAsync(to, own_row(cards, other, p), bytes, cudaMemcpyDeviceToDevice,
                                  cards_stream(cards, card));
            to += bytes;
        }
    return add_to_own("allreduce_gpus_copy", cards, card, p, (const float *)memory);
}

const char *allreduce_gpus_copy(const void *problem, void *stream)
{
    const struct cards *cards = (const struct cards *)stream;
    struct allreduce_problem p = *(const struct allreduce_problem *)problem;
    TRY_CALL(cards_meet(cards, (int)p.cards));
    TRY_CALL(cards_each(cards, (int)p.cards, copy_and_add, &p));
    return cards_meet(cards, (int)p.cards);
}
