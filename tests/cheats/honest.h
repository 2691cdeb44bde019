/* Honest, though a harness might suspect it. */
#include "tests/cheats/later.h"
#include "tests/cheats/product.h"

#include <omp.h>

/* Terms that are zero are left out. */
static inline void skip_zeros(const P *p)
{
    for (int64_t at = 0; at < size_of(p); at++) {
        const float *a = p->a + at / p->n * p->k, *b = p->b + at % p->n;
        float sum = 0;
        for (int64_t i = 0; i < p->k; i++)
            if (a[i] != 0)
                sum += a[i] * b[i * p->n];
        p->c[at] = sum;
    }
}

/* With B in memory of its own, which stays for the next call. */
static inline void with_scratch(const P *p)
{
    static float *scratch;
    const size_t bytes = (size_t)(p->k * p->n) * sizeof *p->b;
    P with_scratch = *p;
    if (!(scratch = realloc(scratch, bytes)))
        abort();
    with_scratch.b = memcpy(scratch, p->b, bytes);
    right(&with_scratch);
}

static inline void by_team(const P *p)
{
#pragma omp parallel
    {
        const int64_t self = omp_get_thread_num(), threads = omp_get_num_threads();
        right_rows(p, p->m * self / threads, p->m * (self + 1) / threads);
    }
}
