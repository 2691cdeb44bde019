/* dot cpu_tuned: several sums at a time, on all threads.
 *
 * Technique: 32 independent sums, of which the compiler makes vectors, so no addition waits for the one before. Threads
 * share the vectors, and their sums are added in a fixed order.
 *
 * What it fixes in cpu_scalar: the waiting.
 *
 * What bounds it: reading x and y. */
#include "bench/table/dot.h"
#include "bench/table/rung.h"
#include "cpu/lane_sum.h"
#include "cpu/work.h"

enum {
    LANES = 32,
    ELEMENTS_PER_THREAD = 1 << 15, /* at least: a thread is not woken for less */
};

static float dot_of(int64_t n, const float *restrict x, const float *restrict y)
{
    float lanes[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int lane = 0; lane < LANES; ++lane)
            lanes[lane] += x[i + lane] * y[i + lane];
    for (; i < n; ++i)
        lanes[i % LANES] += x[i] * y[i];
    return lane_sum(LANES, lanes);
}

const char *dot_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    static float sums[WORK_THREADS_MAX];
    const struct dot_problem *p = problem;
    const int threads = work_threads((double)p->n, ELEMENTS_PER_THREAD);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int t = 0; t < threads; ++t) {
        const int64_t first = p->n * t / threads, end = p->n * (t + 1) / threads;
        sums[t] = dot_of(end - first, p->x + first, p->y + first);
    }
    *p->dot = lane_sum(threads, sums);
    return NULL;
}
