/* Honest, though a harness might suspect it. */
#include "tests/cheats/later.h"
#include "tests/cheats/product.h"
#include "tests/cheats/precision.h"

#include <omp.h>

/* Element by element, by what `sum` makes of a row of A and a column of B. */
#define BY_ELEMENTS(sum)                        \
    for (int64_t at = 0; at < size_of(p); at++) \
    p->c[at] = sum(p->k, p->a + at / p->n * p->k, p->b + at % p->n, p->n)

static inline float in_double(int64_t k, const float *a, const float *b, int64_t step)
{
    double sum = 0;
    for (int64_t i = 0; i < k; i++)
        sum += (double)a[i] * (double)b[i * step];
    return (float)sum;
}

/* By 32 sums, as the lanes of a warp have them. */
static inline float in_lanes(int64_t k, const float *a, const float *b, int64_t step)
{
    float sums[32] = {0};
    for (int64_t i = 0; i < k; i++)
        sums[i % 32] += a[i] * b[i * step];
    for (int width = 16; width > 0; width /= 2)
        for (int lane = 0; lane < width; lane++)
            sums[lane] += sums[lane + width];
    return sums[0];
}

static inline float skips_zeros(int64_t k, const float *a, const float *b, int64_t step)
{
    float sum = 0;
    for (int64_t i = 0; i < k; i++)
        if (a[i] != 0)
            sum += a[i] * b[i * step];
    return sum;
}

/* Three products of TF32 halves. */
static inline float three_tf32(int64_t k, const float *a, const float *b, int64_t step)
{
    float sum = 0, small = 0;
    for (int64_t i = 0; i < k; i++) {
        float a_high = keep_bits(a[i], 11), b_high = keep_bits(b[i * step], 11);
        float a_low = keep_bits(a[i] - a_high, 11), b_low = keep_bits(b[i * step] - b_high, 11);
        sum += a_high * b_high;
        small += a_high * b_low + a_low * b_high;
    }
    return sum + small;
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
