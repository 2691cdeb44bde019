#include "nccl_cards.h"

#include "bench/table/backend.h"

#include <cuda_runtime_api.h>

#include <stdio.h>

static const char *check(const char *call, ncclResult_t status)
{
    static char text[256];
    if (status == ncclSuccess)
        return NULL;
    snprintf(text, sizeof text, "%s: %s", call, ncclGetErrorString(status));
    return text;
}

/* Of the first 1, 2, ... GPUs: made at the first call, and kept until the process ends. */
static ncclComm_t communicators[CARDS_MAX + 1][CARDS_MAX];

static const char *make_communicators(const struct cards *cards, int count)
{
    int before = 0;
    (void)cudaGetDevice(&before);
    const char *error = check("ncclCommInitAll", ncclCommInitAll(communicators[count], count, cards->device));
    (void)cudaSetDevice(before);
    return error;
}

const char *nccl_sum(const struct cards *cards, int count, const float *from, int64_t step, float *to, size_t n,
                     void *const stream[])
{
    if (!communicators[count][0])
        TRY_CALL(make_communicators(cards, count));
    TRY_CALL(check("ncclGroupStart", ncclGroupStart()));
    const char *error = NULL;
    for (int card = 0; card < count && !error; card++)
        error = check("ncclAllReduce",
                      ncclAllReduce(cards_at(cards, card, from + card * step), cards_at(cards, card, to), n, ncclFloat,
                                    ncclSum, communicators[count][card], (cudaStream_t)stream[card]));
    const char *ended = check("ncclGroupEnd", ncclGroupEnd());
    return error ? error : ended;
}
