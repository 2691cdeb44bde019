/* matmul_grad_b gpus_nccl: each GPU has a share of the batch and adds up its part of the gradient; NCCL adds the parts,
 * and all GPUs get it, as data parallelism needs it.
 *
 * What bounds it: as cublas, on a share of the sums; behind it the links, which carry the gradient however large the
 * batch is. */
#include "bench/table/matmul_grad_b.h"
#include "bench/table/rung.h"
#include "kernels/cards.h"
#include "kernels/cublas_sgemm.h"
#include "kernels/nccl_cards.h"

static const char *multiply(const struct cards *cards, int card, void *self)
{
    const struct matmul_grad_b_problem *p = self;
    const int64_t first = cards_row(cards->count, p->m, card), rows = cards_row(cards->count, p->m, card + 1) - first;
    const float *a = cards_at(cards, card, p->a + first * p->k), *dc = cards_at(cards, card, p->dc + first * p->n);
    float *db = cards_at(cards, card, p->db);
    if (rows > 0)
        return cublas_sgemm(cards_stream(cards, card), true, false, p->k, p->n, rows, a, dc, db);
    return cudaMemsetAsync(db, 0, (size_t)(p->k * p->n) * sizeof(float), cards_stream(cards, card)) == cudaSuccess
               ? NULL
               : "cudaMemsetAsync failed";
}

const char *matmul_grad_b_gpus_nccl(const void *problem, void *stream)
{
    const struct cards *cards = stream;
    struct matmul_grad_b_problem p = *(const struct matmul_grad_b_problem *)problem;
    TRY_CALL(cards_each(cards, cards->count, multiply, &p));
    return nccl_sum(cards, cards->count, p.db, 0, p.db, (size_t)(p.k * p.n), cards->stream);
}
