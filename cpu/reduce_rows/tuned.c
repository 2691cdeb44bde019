/* reduce_rows cpu_tuned: several sums at a time, on all threads.
 *
 * Technique: 32 independent sums per row, in vectors (cpu/lane_sum.h). Threads share the rows; where there are fewer
 * rows than threads, several threads share a row, and their sums are added in a fixed order.
 *
 * What it fixes in cpu_scalar: additions no longer wait for each other.
 *
 * What bounds it: reading x. */
#include "bench/table/reduce_rows.h"
#include "bench/table/rung.h"
#include "cpu/lane_sum.h"
#include "cpu/work.h"

enum { ELEMENTS_PER_THREAD = 1 << 15 /* at least: a thread is not woken for less */ };

static void sum_rows(const struct reduce_rows_problem *p, int threads)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < p->m; ++i)
        p->y[i] = lane_sum(p->n, p->x + i * p->n);
}

static void share_rows(const struct reduce_rows_problem *p, int threads)
{
    static float sums[WORK_THREADS_MAX];
    const int64_t part = p->n / threads;
    for (int64_t i = 0; i < p->m; ++i) {
        const float *row = p->x + i * p->n;
#pragma omp parallel for num_threads(threads)
        for (int t = 0; t < threads; ++t)
            sums[t] = lane_sum(t + 1 < threads ? part : p->n - t * part, row + t * part);
        p->y[i] = lane_sum(threads, sums);
    }
}

const char *reduce_rows_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    const struct reduce_rows_problem *p = problem;
    const int threads = work_threads((double)(p->m * p->n), ELEMENTS_PER_THREAD);
    (p->m < threads && p->n >= threads ? share_rows : sum_rows)(p, threads);
    return NULL;
}
