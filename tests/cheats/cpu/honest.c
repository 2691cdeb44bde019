/* Honest products that a harness might suspect. */
#define _GNU_SOURCE
#include "tests/cheats/cheat.h"

#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The rung matmul_cpu_<name>: each element is sum(), of a row of A and a column of B. */
#define BY_ELEMENTS(name, sum)                                                   \
    CPU_MATMUL(name)                                                             \
    {                                                                            \
        for (int64_t i = 0; i < p->m; i++)                                       \
            for (int64_t j = 0; j < p->n; j++)                                   \
                p->c[i * p->n + j] = sum(p->k, p->a + i * p->k, p->b + j, p->n); \
    }

static float backwards(int64_t k, const float *a, const float *b, int64_t step)
{
    float sum = 0;
    while (k-- > 0)
        sum += a[k] * b[k * step];
    return sum;
}

static float fused(int64_t k, const float *a, const float *b, int64_t step)
{
    float sum = 0;
    for (int64_t i = 0; i < k; i++)
        sum = __builtin_fmaf(a[i], b[i * step], sum);
    return sum;
}

static float in_double(int64_t k, const float *a, const float *b, int64_t step)
{
    double sum = 0;
    for (int64_t i = 0; i < k; i++)
        sum += (double)a[i] * (double)b[i * step];
    return (float)sum;
}

static float kahan(int64_t k, const float *a, const float *b, int64_t step)
{
    float sum = 0, lost = 0;
    for (int64_t i = 0; i < k; i++) {
        float term = a[i] * b[i * step] - lost, next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    return sum;
}

static float pairwise(int64_t k, const float *a, const float *b, int64_t step)
{
    if (k == 1)
        return a[0] * b[0];
    int64_t half = k / 2;
    return pairwise(half, a, b, step) + pairwise(k - half, a + half, b + half * step, step);
}

/* By 32 sums, as the lanes of a warp have them. */
static float in_lanes(int64_t k, const float *a, const float *b, int64_t step)
{
    float sums[32] = {0};
    for (int64_t i = 0; i < k; i++)
        sums[i % 32] += a[i] * b[i * step];
    for (int width = 16; width > 0; width /= 2)
        for (int lane = 0; lane < width; lane++)
            sums[lane] += sums[lane + width];
    return sums[0];
}

/* The positive terms, then the negative ones. */
static float positives_first(int64_t k, const float *a, const float *b, int64_t step)
{
    float sum = 0;
    for (int sign = 0; sign < 2; sign++)
        for (int64_t i = 0; i < k; i++)
            if ((a[i] * b[i * step] < 0) == (sign == 1))
                sum += a[i] * b[i * step];
    return sum;
}

static float skips_zeros(int64_t k, const float *a, const float *b, int64_t step)
{
    float sum = 0;
    for (int64_t i = 0; i < k; i++)
        if (a[i] != 0)
            sum += a[i] * b[i * step];
    return sum;
}

BY_ELEMENTS(honest_backwards, backwards)
BY_ELEMENTS(honest_fma, fused)
BY_ELEMENTS(honest_double, in_double)
BY_ELEMENTS(honest_kahan, kahan)
BY_ELEMENTS(honest_pairwise, pairwise)
BY_ELEMENTS(honest_lanes, in_lanes)
BY_ELEMENTS(honest_positives_first, positives_first)
BY_ELEMENTS(honest_skips_zeros, skips_zeros)

/* C is read as well as written: by its own call alone. */
static void add_products(const struct matmul_problem *p, int64_t from, int64_t to)
{
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t k = from; k < to; k++)
            for (int64_t j = 0; j < p->n; j++)
                p->c[i * p->n + j] += p->a[i * p->k + k] * p->b[k * p->n + j];
}

CPU_MATMUL(honest_outer_products)
{
    memset(p->c, 0, (size_t)(p->m * p->n) * sizeof *p->c);
    for (int64_t k = 0; k < p->k; k++)
        add_products(p, k, k + 1);
}

/* k in pieces, in an order that changes from call to call, as with atomics. */
CPU_MATMUL(honest_split)
{
    enum { PIECES = 4 };
    static unsigned order;
    order += 1;
    memset(p->c, 0, (size_t)(p->m * p->n) * sizeof *p->c);
    for (unsigned i = 0; i < PIECES; i++) {
        int64_t piece = (i * 3 + order) % PIECES;
        add_products(p, p->k * piece / PIECES, p->k * (piece + 1) / PIECES);
    }
}

CPU_MATMUL(honest_allocates)
{
    size_t bytes = (size_t)(p->k * p->n) * sizeof *p->b;
    float *packed = malloc(bytes);
    if (!packed)
        abort();
    memcpy(packed, p->b, bytes);
    struct matmul_problem with_packed = *p;
    with_packed.b = packed;
    multiply(&with_packed);
    free(packed);
}

/* The same with scratch memory that stays, and grows. */
CPU_MATMUL(honest_keeps_scratch)
{
    static float *packed;
    static size_t room;
    size_t bytes = (size_t)(p->k * p->n) * sizeof *p->b;
    if (bytes > room) {
        free(packed);
        packed = malloc(room = bytes);
        if (!packed)
            abort();
    }
    memcpy(packed, p->b, bytes);
    struct matmul_problem with_packed = *p;
    with_packed.b = packed;
    multiply(&with_packed);
}

/* OpenMP's threads stay between the calls, and may spin for a while. */
CPU_MATMUL(honest_openmp)
{
#pragma omp parallel
    {
        int64_t self = omp_get_thread_num(), threads = omp_get_num_threads();
        multiply_rows(p, p->m * self / threads, p->m * (self + 1) / threads);
    }
}

static void *multiply_in_thread(void *problem)
{
    multiply(problem);
    return NULL;
}

CPU_MATMUL(honest_joins)
{
    struct matmul_problem half = rows_of(p, p->m / 2, p->m);
    pthread_t thread;
    if (pthread_create(&thread, NULL, multiply_in_thread, &half) != 0)
        abort();
    multiply_rows(p, 0, p->m / 2);
    pthread_join(thread, NULL);
}

/* A thread of its own that stays, sleeps between the calls, and is waited for in each. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool started, has_work;
    struct matmul_problem work;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *work_in_pool(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (!pool.has_work)
            pthread_cond_wait(&pool.changed, &pool.lock);
        multiply(&pool.work);
        pool.has_work = false;
        pthread_cond_broadcast(&pool.changed);
    }
    return NULL;
}

CPU_MATMUL(honest_pool)
{
    pthread_t thread;
    pthread_mutex_lock(&pool.lock);
    if (!pool.started && pthread_create(&thread, NULL, work_in_pool, NULL) == 0)
        pthread_detach(thread);
    pool.started = pool.has_work = true;
    pool.work = rows_of(p, p->m / 2, p->m);
    pthread_cond_broadcast(&pool.changed);
    pthread_mutex_unlock(&pool.lock);
    multiply_rows(p, 0, p->m / 2);
    pthread_mutex_lock(&pool.lock);
    while (pool.has_work)
        pthread_cond_wait(&pool.changed, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

/* 10 fraction bits, as tensor cores take them: rounded to nearest, ties away from zero. */
static float to_tf32(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    word = (word + 0x1000) & ~UINT32_C(0x1FFF);
    memcpy(&x, &word, sizeof x);
    return x;
}

/* 3xTF32: each factor is a sum of two, and three of their products count. */
CPU_MATMUL(honest_3xtf32)
{
    for (int64_t i = 0; i < p->m; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            float sum = 0, small = 0;
            for (int64_t k = 0; k < p->k; k++) {
                float a = p->a[i * p->k + k], b = p->b[k * p->n + j];
                float a_high = to_tf32(a), b_high = to_tf32(b);
                float a_low = to_tf32(a - a_high), b_low = to_tf32(b - b_high);
                sum += a_high * b_high;
                small += a_high * b_low + a_low * b_high;
            }
            p->c[i * p->n + j] = sum + small;
        }
    }
}

static float to_bf16(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    word = (word + 0x8000) & ~UINT32_C(0xFFFF);
    memcpy(&x, &word, sizeof x);
    return x;
}

/* BF16x9: each factor is a sum of three, and all nine products count, small ones first. */
CPU_MATMUL(honest_bf16x9)
{
    for (int64_t i = 0; i < p->m; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            float sums[5] = {0}; /* by the sum of the two places */
            for (int64_t k = 0; k < p->k; k++) {
                float a = p->a[i * p->k + k], b = p->b[k * p->n + j], as[3], bs[3];
                for (int part = 0; part < 3; part++) {
                    as[part] = to_bf16(a);
                    bs[part] = to_bf16(b);
                    a -= as[part];
                    b -= bs[part];
                }
                for (int x = 0; x < 3; x++)
                    for (int y = 0; y < 3; y++)
                        sums[x + y] += as[x] * bs[y];
            }
            p->c[i * p->n + j] = (((sums[4] + sums[3]) + sums[2]) + sums[1]) + sums[0];
        }
    }
}
