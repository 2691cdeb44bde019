/* matmul gpus_rows: A's rows are shared out, and each GPU multiplies its own by all of B.
 *
 * Technique: rows of A and of C lie behind each other, so a share of them is a product like any other: cuda_auto's.
 * Then each GPU writes its rows of C to all others.
 *
 * What it fixes in gpus_columns: products on tensor cores, whose rungs take whole matrices alone.
 *
 * What bounds it: as gpus_columns; but its products take a quarter of the time, and what passes the links does not. */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "kernels/cards.h"

/* What a GPU has of A and C, at its addresses. */
static struct matmul_problem share_of(const struct cards *cards, int card, const struct matmul_problem *whole)
{
    const int64_t first = cards_row(cards->count, whole->m, card);
    struct matmul_problem p = *whole;
    p.m = cards_row(cards->count, whole->m, card + 1) - first;
    p.a = cards_at(cards, card, whole->a + first * whole->k);
    p.b = cards_at(cards, card, whole->b);
    p.c = cards_at(cards, card, whole->c + first * whole->n);
    return p;
}

static const char *multiply(const struct cards *cards, int card, void *self)
{
    const struct matmul_problem p = share_of(cards, card, self);
    return p.m == 0 ? NULL : rung_run_part(matmul_cuda_auto, &p, cards->stream[card]);
}

static const char *tell(const struct cards *cards, int card, void *self)
{
    const struct matmul_problem *whole = self, from = share_of(cards, card, whole);
    const float *first = whole->c + cards_row(cards->count, whole->m, card) * whole->n;
    const size_t bytes = (size_t)(from.m * from.n) * sizeof(float);
    for (int other = 0; other < cards->count; other++)
        if (other != card && cudaMemcpyAsync(cards_at(cards, other, first), from.c, bytes, cudaMemcpyDeviceToDevice,
                                             cards_stream(cards, card)) != cudaSuccess)
            return "cudaMemcpyAsync failed";
    return NULL;
}

const char *matmul_gpus_rows(const void *problem, void *stream)
{
    const struct cards *cards = stream;
    struct matmul_problem p = *(const struct matmul_problem *)problem;
    TRY_CALL(cards_each(cards, cards->count, multiply, &p));
    TRY_CALL(cards_meet(cards, cards->count)); /* the others are in this call, too */
    TRY_CALL(cards_each(cards, cards->count, tell, &p));
    return cards_meet(cards, cards->count);
}
