/* allreduce gpus_host: each GPU's array goes to the host, and from there to the others, which add it to their own.
 *
 * Technique: pinned memory of the host, with a place in it for each GPU. All GPUs copy their arrays there at once; when
 * all have arrived, each copies those of the others back. It needs no links between GPUs: where they cannot read each
 * other's memory, a driver does the same.
 *
 * What bounds it: the bus to the host, through which a GPU sends its array, and then gets those of all others. With two
 * GPUs, 64 MiB take 1.2 ms each way at 55 GB/s.
 *
 * Measured, results/h200-x2/scaling.csv:
 *   allreduce/1-mib/gpus_host/hot 70.20 us
 *   allreduce/64-mib/gpus_host/hot 2.570 ms */
#include "add_rows.h"
#include "kernels/workspace.h"

#include <stdlib.h>

/* Of the host, and pinned: at least so many bytes. */
static const char *host_memory(size_t bytes, char **memory)
{
    static char *kept;
    static size_t kept_bytes;
    if (bytes > kept_bytes) {
        (void)cudaFreeHost(kept);
        kept_bytes = 0;
        if (cudaHostAlloc((void **)&kept, bytes, cudaHostAllocPortable) != cudaSuccess) {
            (void)cudaGetLastError();
            kept = NULL;
            return "no pinned memory for the arrays";
        }
        kept_bytes = bytes;
    }
    *memory = kept;
    return NULL;
}

struct through_host {
    struct allreduce_problem p;
    char *memory;
    size_t bytes; /* of an array */
};

static const char *tell(const struct cards *cards, int card, void *self)
{
    const struct through_host *is = (const struct through_host *)self;
    (void)cudaMemcpyAsync(is->memory + (size_t)card * is->bytes, own_row(cards, card, &is->p), is->bytes,
                          cudaMemcpyDeviceToHost, cards_stream(cards, card));
    return launch_error("allreduce_gpus_host");
}

static const char *get_and_add(const struct cards *cards, int card, void *self)
{
    const struct through_host *is = (const struct through_host *)self;
    const size_t before = (size_t)card * is->bytes, behind = ((size_t)is->p.cards - 1) * is->bytes - before;
    void *memory;
    TRY_CALL(workspace_get((size_t)is->p.cards * is->bytes, &memory));
    (void)cudaMemcpyAsync(memory, is->memory, before, cudaMemcpyHostToDevice, cards_stream(cards, card));
    (void)cudaMemcpyAsync((char *)memory + before, is->memory + before + is->bytes, behind, cudaMemcpyHostToDevice,
                          cards_stream(cards, card));
    return add_to_own("allreduce_gpus_host", cards, card, &is->p, (const float *)memory);
}

const char *allreduce_gpus_host(const void *problem, void *stream)
{
    const struct cards *cards = (const struct cards *)stream;
    struct through_host is = {*(const struct allreduce_problem *)problem, NULL, 0};
    const int count = (int)is.p.cards;
    is.bytes = (size_t)is.p.n * sizeof(float);
    TRY_CALL(host_memory((size_t)count * is.bytes, &is.memory));
    TRY_CALL(cards_each(cards, count, tell, &is));
    TRY_CALL(cards_meet(cards, count));
    TRY_CALL(cards_each(cards, count, get_and_add, &is));
    return cards_meet(cards, count); /* a place in the host's memory is written again in the next call */
}
