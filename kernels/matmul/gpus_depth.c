/* matmul gpus_depth: k is shared out. Each GPU multiplies its columns of A by its rows of B, and has a part of every
 * sum of C; NCCL adds the parts, and all GPUs get C.
 *
 * What bounds it: the products, and behind them the links, which carry all of C and not a part of it: twice what
 * gpus_columns passes. It is the other half of a network's pair of layers: after gpus_columns the columns of its A are
 * where they are needed. */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "kernels/cards.h"
#include "kernels/cublas_sgemm.h"
#include "kernels/nccl_cards.h"

static const char *multiply(const struct cards *cards, int card, void *self)
{
    const struct matmul_problem *p = self;
    const int64_t first = cards_row(cards->count, p->k, card), depth = cards_row(cards->count, p->k, card + 1) - first;
    const float *a = cards_at(cards, card, p->a), *b = cards_at(cards, card, p->b);
    float *c = cards_at(cards, card, p->c);
    if (depth == 0)
        return cudaMemsetAsync(c, 0, (size_t)(p->m * p->n) * sizeof(float), cards_stream(cards, card)) == cudaSuccess
                   ? NULL
                   : "cudaMemsetAsync failed";
    return cublas_sgemm_of_parts(cards_stream(cards, card), false, p->m, p->n, depth, a + first, p->k, b + first * p->n,
                                 p->n, c, p->n);
}

const char *matmul_gpus_depth(const void *problem, void *stream)
{
    const struct cards *cards = stream;
    struct matmul_problem p = *(const struct matmul_problem *)problem;
    TRY_CALL(cards_each(cards, cards->count, multiply, &p));
    return nccl_sum(cards, cards->count, p.c, 0, p.c, (size_t)(p.m * p.n), cards->stream);
}
