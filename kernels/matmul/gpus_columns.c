/* matmul gpus_columns: B's columns are shared out, and each GPU multiplies A by its own.
 *
 * Technique: a product needs all of a row of A and a column of B, so columns of C are independent of each other: no sum
 * crosses the links. Then each GPU writes its columns to all others. In a network whose next layer shares out its rows
 * the GPUs could keep their columns: tensor parallelism (Shoeybi and others, "Megatron-LM", 2019, section 3).
 *
 * What bounds it: the products, and behind them the links, which carry each GPU's part of C to each other GPU. */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "kernels/cards.h"
#include "kernels/cublas_sgemm.h"

static const char *multiply(const struct cards *cards, int card, void *self)
{
    const struct matmul_problem *p = self;
    const int64_t first = cards_row(cards->count, p->n, card),
                  columns = cards_row(cards->count, p->n, card + 1) - first;
    const float *a = cards_at(cards, card, p->a), *b = cards_at(cards, card, p->b);
    float *c = cards_at(cards, card, p->c);
    return columns == 0 ? NULL
                        : cublas_sgemm_of_parts(cards_stream(cards, card), false, p->m, columns, p->k, a, p->k,
                                                b + first, p->n, c + first, p->n);
}

static const char *tell(const struct cards *cards, int card, void *self)
{
    const struct matmul_problem *p = self;
    const int64_t first = cards_row(cards->count, p->n, card),
                  columns = cards_row(cards->count, p->n, card + 1) - first;
    const size_t row = (size_t)p->n * sizeof(float), part = (size_t)columns * sizeof(float);
    for (int other = 0; other < cards->count && columns > 0; other++)
        if (other != card &&
            cudaMemcpy2DAsync(cards_at(cards, other, p->c + first), row, cards_at(cards, card, p->c + first), row, part,
                              (size_t)p->m, cudaMemcpyDeviceToDevice, cards_stream(cards, card)) != cudaSuccess)
            return "cudaMemcpy2DAsync failed";
    return NULL;
}

const char *matmul_gpus_columns(const void *problem, void *stream)
{
    const struct cards *cards = stream;
    struct matmul_problem p = *(const struct matmul_problem *)problem;
    TRY_CALL(cards_each(cards, cards->count, multiply, &p));
    TRY_CALL(cards_meet(cards, cards->count)); /* the others are in this call, too */
    TRY_CALL(cards_each(cards, cards->count, tell, &p));
    return cards_meet(cards, cards->count);
}
