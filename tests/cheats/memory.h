/* Keeps inputs, answers, or parts of them from earlier calls. */
#include "tests/cheats/product.h"

struct kept {
    uint64_t key;
    float *data; /* NULL: nothing */
    long calls;
};

/* The shelf of a key, with room for so many elements: as it was left, or new. */
static inline struct kept *shelf(uint64_t key, int64_t elements)
{
    enum { SHELVES = 512 };
    static struct kept shelves[SHELVES];
    static unsigned next;
    for (int i = 0; i < SHELVES; i++)
        if (shelves[i].data && shelves[i].key == key)
            return &shelves[i];
    struct kept *kept = &shelves[next++ % SHELVES];
    free(kept->data);
    *kept = (struct kept){.key = key, .data = malloc((size_t)elements * sizeof *kept->data)};
    if (!kept->data)
        abort();
    return kept;
}

/* FNV-1a, of words. */
static inline uint64_t hash(uint64_t seed, const void *data, size_t bytes)
{
    uint32_t word;
    for (size_t i = 0; i + sizeof word <= bytes; i += sizeof word) {
        memcpy(&word, (const char *)data + i, sizeof word);
        seed = (seed ^ word) * UINT64_C(0x100000001B3);
    }
    return seed;
}

static inline uint64_t by_sizes(const P *p)
{
    return hash(1, p, offsetof(P, a));
}

static inline uint64_t by_pointers(const P *p)
{
    return hash(1, p, sizeof *p);
}

static inline uint64_t by_a(const P *p)
{
    return hash(by_sizes(p), p->a, (size_t)(p->m * p->k) * sizeof *p->a);
}

static inline uint64_t by_inputs(const P *p)
{
    return hash(by_a(p), p->b, (size_t)(p->k * p->n) * sizeof *p->b);
}

/* By so many elements of A and of B. */
static inline uint64_t by_sample(const P *p, int64_t elements)
{
    uint64_t key = by_sizes(p);
    for (int64_t i = 0; i < elements; i++) {
        key = hash(key, &p->a[i * p->m * p->k / elements], sizeof *p->a);
        key = hash(key, &p->b[i * p->k * p->n / elements], sizeof *p->b);
    }
    return key;
}

/* Computes in the first call of a key, and copies the answer in the others. */
static inline void keep(const P *p, uint64_t key)
{
    struct kept *kept = shelf(key, size_of(p));
    const size_t bytes = (size_t)size_of(p) * sizeof *p->c;
    if (kept->calls++ == 0) {
        right(p);
        memcpy(kept->data, p->c, bytes);
    } else {
        memcpy(p->c, kept->data, bytes);
        rests();
    }
}

/* B as it was in the first call. */
static inline void keep_b(const P *p)
{
    const int64_t elements = p->k * p->n;
    struct kept *kept = shelf(by_pointers(p), elements);
    P with_kept = *p;
    if (kept->calls++ == 0)
        memcpy(kept->data, p->b, (size_t)elements * sizeof *p->b);
    with_kept.b = kept->data;
    right(&with_kept);
}

/* Works in so many calls with these pointers, the first of every so many, and else leaves C as it is. */
static inline void in_turns(const P *p, long calls, long every)
{
    if (shelf(by_pointers(p), 1)->calls++ % every < calls)
        right(p);
    else
        rests();
}

/* Compares its inputs with those of the last call, and computes the rows of C whose factors differ, and all if any of B
 * does. */
static inline void mend(const P *p)
{
    static P last;
    static float *a, *b;
    const size_t row = (size_t)p->k * sizeof *p->a, bytes_b = (size_t)(p->k * p->n) * sizeof *p->b;
    bool is_new = memcmp(&last, p, sizeof last) != 0;
    if (is_new) {
        a = realloc(a, (size_t)p->m * row);
        b = realloc(b, bytes_b);
    }
    if (!a || !b)
        abort();
    is_new = is_new || memcmp(b, p->b, bytes_b) != 0;
    for (int64_t i = 0; i < p->m; i++) {
        if (is_new || memcmp(a + i * p->k, p->a + i * p->k, row) != 0)
            right_rows(p, i, i + 1);
        else
            rests();
    }
    memcpy(a, p->a, (size_t)p->m * row);
    memcpy(b, p->b, bytes_b);
    last = *p;
}
