/* matmul_grad_a gpus_rows: each GPU has a share of the batch, and computes what goes back through it.
 *
 * What bounds it: as cublas, on a share of the rows. In data parallelism rows of dA stay where the layer before needs
 * them: nothing is told. */
#include "bench/table/matmul_grad_a.h"
#include "bench/table/rung.h"
#include "kernels/cards.h"
#include "kernels/cublas_sgemm.h"

static const char *multiply(const struct cards *cards, int card, void *self)
{
    const struct matmul_grad_a_problem *p = self;
    const int64_t first = cards_row(cards->count, p->m, card), rows = cards_row(cards->count, p->m, card + 1) - first;
    const float *dc = cards_at(cards, card, p->dc + first * p->n), *b = cards_at(cards, card, p->b);
    float *da = cards_at(cards, card, p->da + first * p->k);
    return rows == 0 ? NULL : cublas_sgemm(cards_stream(cards, card), false, true, rows, p->k, p->n, dc, b, da);
}

const char *matmul_grad_a_gpus_rows(const void *problem, void *stream)
{
    const struct cards *cards = stream;
    struct matmul_grad_a_problem p = *(const struct matmul_grad_a_problem *)problem;
    return cards_each(cards, cards->count, multiply, &p);
}
