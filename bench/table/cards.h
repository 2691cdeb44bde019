/* Several GPUs that work on one problem: what rungs of backend `gpus` get as their stream. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { CARDS_MAX = 8 };

/* Each card has all arrays of the problem, at addresses of its own. Of an array that is split (op.h) it has its share
 * of the rows alone, where they are in the whole one; the rest is NaN. Other outputs are to be whole on each card that
 * has rows.
 *
 * A rung queues work of a card on that card's stream, and waits for nothing. The streams start at about the same time;
 * a rung that reads another card's memory waits, on its stream, until that card is there, and no card is done with a
 * call while another one reads its arrays. Cards can read and write each other's memory. CUDA's current device is the
 * same after the call as before. */
struct cards {
    int count;
    int device[CARDS_MAX];       /* CUDA's number */
    void *stream[CARDS_MAX];     /* a cudaStream_t */
    ptrdiff_t offset[CARDS_MAX]; /* in bytes, of its memory from the first card's, whose addresses the problem has */
};

/* Where a card has what the first one has there. */
static inline void *cards_at(const struct cards *cards, int card, const void *address)
{
    return (char *)(uintptr_t)address + cards->offset[card];
}

/* The first row of a card's share; that of the next one is its end. */
static inline int64_t cards_row(int count, int64_t rows, int card)
{
    const int64_t share = (rows + count - 1) / count, first = card * share;
    return first < rows ? first : rows;
}

/* Of `bytes` bytes from byte `at` of a split array on, which a card has: those from *begin up to *end. */
static inline void cards_share(int count, int card, int64_t rows, int64_t row_bytes, int64_t at, int64_t bytes,
                               int64_t *begin, int64_t *end)
{
    const int64_t first = cards_row(count, rows, card) * row_bytes - at;
    const int64_t behind = cards_row(count, rows, card + 1) * row_bytes - at;
    *begin = first < 0 ? 0 : first < bytes ? first : bytes;
    *end = behind < 0 ? 0 : behind < bytes ? behind : bytes;
}
