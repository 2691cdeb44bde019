/* map cpu_tuned: vectors, all threads, and stores past the caches.
 *
 * Technique: threads share the array evenly; the compiler vectorises what each does. Before a store changes part of a
 * line, a processor reads that line from memory. A streaming store writes whole lines and does not, so where y is
 * larger than caches are, vectors are stored like that, on x86 only. They need aligned addresses: single elements come
 * before the first.
 *
 * What it fixes in cpu_scalar: it compares several elements at a time, on all cores, and long arrays cost 8 bytes of
 * traffic per element instead of 12.
 *
 * What bounds it: memory bandwidth. */
#include "bench/table/map.h"
#include "bench/table/rung.h"
#include "cpu/work.h"

#include <string.h>

#ifdef __SSE__
#include <immintrin.h>
#endif

enum {
    ELEMENTS_PER_THREAD = 1 << 15, /* at least: a thread is not woken for less */
    STREAMED = 1 << 24,            /* elements of a y that is larger than caches are */
};

/* A mask, not a branch: where the compiler does not vectorise, the CPU would learn to predict branches while the input
 * stays the same. */
static void map_cached(int64_t n, const float *restrict x, float *restrict y)
{
    for (int64_t i = 0; i < n; ++i) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        bits &= -(uint32_t) !(x[i] <= 0);
        memcpy(&y[i], &bits, sizeof bits);
    }
}

static void map_streamed(int64_t n, const float *restrict x, float *restrict y)
{
    int64_t i = 0;
#ifdef __SSE__
    enum { VECTOR = sizeof(__m128) / sizeof(float) };
    int64_t head = (int64_t)(-(uintptr_t)y % sizeof(__m128) / sizeof(float));
    i = head < n ? head : n;
    map_cached(i, x, y);
    for (; i + VECTOR <= n; i += VECTOR) /* the maximum is the second operand if one of them is NaN */
        _mm_stream_ps(y + i, _mm_max_ps(_mm_setzero_ps(), _mm_loadu_ps(x + i)));
    _mm_sfence();
#endif
    map_cached(n - i, x + i, y + i);
}

const char *map_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    const struct map_problem *p = problem;
    const int threads = work_threads((double)p->n, ELEMENTS_PER_THREAD);
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        int64_t parts = omp_get_num_threads(), self = omp_get_thread_num();
        int64_t first = p->n / parts * self, end = self + 1 < parts ? first + p->n / parts : p->n;
        (p->n >= STREAMED ? map_streamed : map_cached)(end - first, p->x + first, p->y + first);
    }
    return NULL;
}
