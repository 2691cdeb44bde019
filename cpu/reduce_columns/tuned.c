/* reduce_columns cpu_tuned: strips of columns in registers, all threads.
 *
 * Technique: the sums of 64 columns stay in registers while a thread walks down the rows. Threads share the strips;
 * where there are too few, they share the rows, and the sums of each are added in a fixed order at the end.
 *
 * What it fixes in cpu_scalar: a load and an addition per vector, without a store.
 *
 * What bounds it: reading x. */
#include "bench/table/reduce_columns.h"
#include "bench/table/rung.h"
#include "cpu/work.h"

enum {
    STRIP = 64,                    /* columns: 256 bytes of each row */
    ELEMENTS_PER_THREAD = 1 << 15, /* at least: a thread is not woken for less */
};

/* Adds up `columns` columns, STRIP at most, of rows `first` to `end` - 1. */
static void sum_strip(const struct reduce_columns_problem *p, int64_t first, int64_t end, int64_t column, int columns,
                      float sums[restrict STRIP])
{
    for (int j = 0; j < STRIP; ++j)
        sums[j] = 0;
    const float *row = p->x + first * p->n + column;
    for (int64_t i = first; i < end; ++i, row += p->n) {
        if (columns == STRIP)
            for (int j = 0; j < STRIP; ++j)
                sums[j] += row[j];
        else
            for (int j = 0; j < columns; ++j)
                sums[j] += row[j];
    }
}

static int strip_width(const struct reduce_columns_problem *p, int64_t column)
{
    return (int)smaller(p->n - column, STRIP);
}

static void share_columns(const struct reduce_columns_problem *p, int threads)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t column = 0; column < p->n; column += STRIP) {
        float sums[STRIP];
        sum_strip(p, 0, p->m, column, strip_width(p, column), sums);
        for (int j = 0; j < strip_width(p, column); ++j)
            p->y[column + j] = sums[j];
    }
}

static void share_rows(const struct reduce_columns_problem *p, int threads)
{
    static float sums[WORK_THREADS_MAX][STRIP];
    for (int64_t column = 0; column < p->n; column += STRIP) {
        const int columns = strip_width(p, column);
#pragma omp parallel for num_threads(threads) if (threads > 1)
        for (int t = 0; t < threads; ++t)
            sum_strip(p, p->m * t / threads, p->m * (t + 1) / threads, column, columns, sums[t]);
        for (int j = 0; j < columns; ++j) {
            float sum = 0;
            for (int t = 0; t < threads; ++t)
                sum += sums[t][j];
            p->y[column + j] = sum;
        }
    }
}

const char *reduce_columns_cpu_tuned(const void *problem, void *stream)
{
    (void)stream;
    const struct reduce_columns_problem *p = problem;
    const int threads = work_threads((double)(p->m * p->n), ELEMENTS_PER_THREAD);
    (p->n >= (int64_t)STRIP * threads ? share_columns : share_rows)(p, threads);
    return NULL;
}
