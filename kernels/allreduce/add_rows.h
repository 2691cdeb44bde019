/* The addition of arrays, one after the other, and where they are. */
#pragma once

#include "bench/table/allreduce.h"
#include "kernels/cards.h"
#include "kernels/four.h"
#include "kernels/launch.h"

/* Of each card, as one of them sees it. */
template <typename T>
struct rows {
    const T *of[CARDS_MAX];
};

static __device__ __forceinline__ float plus(float a, float b)
{
    return a + b;
}

static __device__ __forceinline__ float4 plus(float4 a, float4 b)
{
    return float4{a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

/* Elements from the thread's own on, a grid further each time. All cards add in the same order. */
template <int CARDS, typename T>
static __device__ __forceinline__ void add_rows(int cards, int64_t n, const rows<T> &x, T *y)
{
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        T term[CARDS];
#pragma unroll
        for (int card = 0; card < CARDS; card++) /* all loads before the first sum */
            if (card < cards)
                term[card] = x.of[card][i];
#pragma unroll
        for (int card = 1; card < CARDS; card++)
            if (card < cards)
                term[0] = plus(term[0], term[card]);
        y[i] = term[0];
    }
}

/* Of rows that lie on the card itself. */
template <typename T>
static __global__ void add_rows_kernel(int cards, int64_t n, const rows<T> x, T *y)
{
    add_rows<CARDS_MAX>(cards, n, x, y);
}

/* What of a problem is computed 16 bytes at a time. */
static inline bool has_vectors(const struct allreduce_problem *p)
{
    return p->n % 4 == 0 && is_aligned(p->x, 16) && is_aligned(p->y, 16);
}

/* Where the card's own array is. */
static inline const float *own_row(const struct cards *cards, int card, const struct allreduce_problem *p)
{
    return (const float *)cards_at(cards, card, p->x + card * p->n);
}

/* Adds the card's own array and those of the others, which lie in `memory`, one behind the other. */
static inline const char *add_to_own(const char *rung, const struct cards *cards, int card,
                                     const struct allreduce_problem *p, const float *memory)
{
    constexpr int THREADS = 256, BLOCKS_MAX = 4096;
    rows<float> from;
    for (int other = 0; other < p->cards; other++)
        from.of[other] = other == card ? own_row(cards, card, p) : memory + (other - (other > card)) * p->n;
    float *y = (float *)cards_at(cards, card, p->y);
    const int64_t useful = ceil_div(p->n, THREADS), blocks = useful < BLOCKS_MAX ? useful : BLOCKS_MAX;
    return TRY_LAUNCH(rung, add_rows_kernel<float>, blocks, THREADS, 0, cards->stream[card], (int)p->cards, p->n, from,
                      y);
}
