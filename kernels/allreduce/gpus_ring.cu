/* allreduce gpus_ring: the sums of parts of the array go round in a ring, twice.
 *
 * Technique: with N GPUs the array has N parts, and each GPU reads what its neighbour to the left has written:
 *
 *   step   GPU 0            GPU 1            GPU 2
 *   1      part 2: 2 + 0    part 0: 0 + 1    part 1: 1 + 2       adds its own part to what has come
 *   2      part 1: done     part 2: done     part 0: done        (Patarasuk and Yuan, "Bandwidth optimal all-reduce
 *   3      part 0: gets     part 1: gets     part 2: gets         algorithms for clusters of workstations", 2009)
 *   4      part 2: gets     part 0: gets     part 1: gets
 *
 * So N - 1 steps add, and N - 1 tell. A block has the same piece of each part on all GPUs, and so waits for one block
 * alone, which says after each step how far it is.
 *
 * What it fixes in gpus_direct: a link carries 2 (N - 1) / N arrays, however many GPUs there are, and not N - 1.
 *
 * What bounds it: the links for large arrays, for small ones the 2 (N - 1) steps, which wait for each other. With two
 * GPUs gpus_direct carries no more, in one step.
 *
 * Measured, results/h200-x2/scaling.csv:
 *   allreduce/1-mib/gpus_ring/hot 15.52 us
 *   allreduce/64-mib/gpus_ring/hot 218.4 us */
#include "add_rows.h"
#include "signals.h"

constexpr int THREADS = 512, PER_MULTIPROCESSOR = 4;

template <typename T>
static __global__ void __launch_bounds__(THREADS, PER_MULTIPROCESSOR)
    allreduce_ring_kernel(int cards, int card, int64_t n, const T *x, const T *left_x, T *y, const T *left_y,
                          const on_all<signals> all)
{
    const uint32_t seen = all.of[card]->seen[blockIdx.x];
    const int right = (card + 1) % cards, steps = 2 * (cards - 1);
    const int64_t part = (n + cards - 1) / cards, stride = (int64_t)gridDim.x * THREADS;
    meet(cards, card, all, seen + 1);
    for (int step = 1; step <= steps; step++) {
        const int which = (card - step + 2 * cards) % cards; /* step is below 2 cards */
        const int64_t end = min((which + 1) * part, n);
        if (step > 1) {
            if (threadIdx.x == 0)
                wait_for(&all.of[card]->passed[blockIdx.x], seen + (uint32_t)step - 1);
            __syncthreads();
        }
        const T *from = step == 1 ? left_x : left_y;
        for (int64_t i = which * part + (int64_t)blockIdx.x * THREADS + threadIdx.x; i < end; i += stride)
            y[i] = step < cards ? plus(from[i], x[i]) : from[i];
        __syncthreads();
        if (threadIdx.x == 0)
            tell(&all.of[right]->passed[blockIdx.x], seen + (uint32_t)step);
    }
    meet(cards, card, all, seen + (uint32_t)steps + 2);
    if (threadIdx.x == 0)
        all.of[card]->seen[blockIdx.x] = seen + (uint32_t)steps + 2;
}

template <typename T>
static const char *launch(const struct cards *cards, int card, void *self)
{
    const struct allreduce_problem *p = (const struct allreduce_problem *)self;
    const int count = (int)p->cards, left = (card + count - 1) % count;
    const int64_t n = p->n / (int64_t)(sizeof(T) / sizeof(float));
    const on_all<signals> *all;
    TRY_CALL(get_shared(cards, count, &all));
    const int blocks = blocks_at_once(ceil_div(n, (int64_t)count * THREADS), THREADS, PER_MULTIPROCESSOR);
    return TRY_LAUNCH("allreduce_gpus_ring", allreduce_ring_kernel<T>, blocks, THREADS, 0, cards->stream[card], count,
                      card, n, (const T *)own_row(cards, card, p), (const T *)own_row(cards, left, p),
                      (T *)cards_at(cards, card, p->y), (const T *)cards_at(cards, left, p->y), *all);
}

/* One GPU has nobody to tell: its sum is its array. */
const char *allreduce_gpus_ring(const void *problem, void *stream)
{
    struct allreduce_problem p = *(const struct allreduce_problem *)problem;
    if (p.cards == 1)
        return rung_hand_over(allreduce_gpus_direct, problem, stream);
    return cards_each((const struct cards *)stream, (int)p.cards, has_vectors(&p) ? launch<float4> : launch<float>, &p);
}
