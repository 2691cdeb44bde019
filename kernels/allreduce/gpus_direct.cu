/* allreduce gpus_direct: one kernel on each GPU reads the arrays of all of them and adds.
 *
 * Technique: addresses of another GPU's memory are used as one's own. Two signals replace four events and copies:
 * blocks of the same number meet before they read, since the arrays have to be there, and before they end, since
 * whoever called may then write to them.
 *
 * What it fixes in gpus_copy: no copy is written and read again, and nothing waits for the driver.
 *
 * What bounds it: with two GPUs the links, which carry 450 GB/s each way: 64 MiB take at least 150 us. With more of
 * them a GPU reads all arrays, where its part of the sum would be enough: gpus_ring.
 *
 * Measured, results/h200-x2/scaling.csv:
 *   allreduce/1-mib/gpus_direct/hot 11.41 us
 *   allreduce/64-mib/gpus_direct/hot 213.0 us */
#include "add_rows.h"
#include "signals.h"

constexpr int THREADS = 512, PER_MULTIPROCESSOR = 4;

template <int CARDS, typename T>
static __global__ void __launch_bounds__(THREADS, PER_MULTIPROCESSOR)
    allreduce_direct_kernel(int cards, int card, int64_t n, const rows<T> x, T *y, const on_all<signals> all)
{
    const uint32_t seen = all.of[card]->seen[blockIdx.x];
    meet(cards, card, all, seen + 1);
    add_rows<CARDS>(cards, n, x, y);
    meet(cards, card, all, seen + 2);
    if (threadIdx.x == 0)
        all.of[card]->seen[blockIdx.x] = seen + 2;
}

template <int CARDS, typename T>
static const char *launch(const struct cards *cards, int card, void *self)
{
    const struct allreduce_problem *p = (const struct allreduce_problem *)self;
    const int64_t n = p->n / (int64_t)(sizeof(T) / sizeof(float));
    const on_all<signals> *all;
    rows<T> x;
    TRY_CALL(get_shared(cards, (int)p->cards, &all));
    for (int other = 0; other < p->cards; other++)
        x.of[other] = (const T *)own_row(cards, other, p);
    const int blocks = blocks_at_once(ceil_div(n, THREADS), THREADS, PER_MULTIPROCESSOR);
    return TRY_LAUNCH("allreduce_gpus_direct", (allreduce_direct_kernel<CARDS, T>), blocks, THREADS, 0,
                      cards->stream[card], (int)p->cards, card, n, x, (T *)cards_at(cards, card, p->y), *all);
}

const char *allreduce_gpus_direct(const void *problem, void *stream)
{
    struct allreduce_problem p = *(const struct allreduce_problem *)problem;
    const bool wide = has_vectors(&p);
    const auto queue = p.cards <= 2   ? (wide ? launch<2, float4> : launch<2, float>)
                       : p.cards <= 4 ? (wide ? launch<4, float4> : launch<4, float>)
                                      : (wide ? launch<8, float4> : launch<8, float>);
    return cards_each((const struct cards *)stream, (int)p.cards, queue, &p);
}
