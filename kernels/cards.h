/* For rungs of several GPUs: how the work of each is queued, and how streams wait for each other. */
#pragma once

#include "bench/table/backend.h"
#include "bench/table/cards.h"

#include <cuda_runtime.h>

#include <stdbool.h>

/* Calls `queue` for each of the first `count` cards, which is CUDA's current device meanwhile; NULL, or the first
 * error.
 */
static inline const char *cards_each(const struct cards *cards, int count,
                                     const char *(*queue)(const struct cards *cards, int card, void *self), void *self)
{
    const char *error = NULL;
    int before = 0;
    (void)cudaGetDevice(&before);
    for (int card = 0; card < count && !error; card++) {
        (void)cudaSetDevice(cards->device[card]);
        error = queue(cards, card, self);
    }
    (void)cudaSetDevice(before);
    return error;
}

static inline cudaStream_t cards_stream(const struct cards *cards, int card)
{
    return (cudaStream_t)cards->stream[card];
}

/* Events of a file that includes this. */
static inline cudaEvent_t *cards_events(void)
{
    static cudaEvent_t events[CARDS_MAX];
    return events;
}

static inline const char *cards_record(const struct cards *cards, int card, void *self)
{
    (void)self;
    cudaEvent_t *event = &cards_events()[card];
    if (!*event && cudaEventCreateWithFlags(event, cudaEventDisableTiming) != cudaSuccess)
        return "cudaEventCreateWithFlags failed";
    return cudaEventRecord(*event, cards_stream(cards, card)) == cudaSuccess ? NULL : "cudaEventRecord failed";
}

static inline const char *cards_wait(const struct cards *cards, int card, void *self)
{
    const int *count = (const int *)self;
    for (int other = 0; other < *count; other++)
        if (other != card && cudaStreamWaitEvent(cards_stream(cards, card), cards_events()[other], 0) != cudaSuccess)
            return "cudaStreamWaitEvent failed";
    return NULL;
}

/* What the first `count` streams do next, none does before all have come here. */
static inline const char *cards_meet(const struct cards *cards, int count)
{
    TRY_CALL(cards_each(cards, count, cards_record, NULL));
    return cards_each(cards, count, cards_wait, &count);
}
