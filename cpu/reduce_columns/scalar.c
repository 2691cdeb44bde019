/* reduce_columns cpu_scalar: row after row is added to the sums, on one thread.
 *
 * Technique: the loops run along the rows, as x lies in memory. Speed-ups are divided by this rung, so it stays scalar:
 * the empty assembly keeps the compiler from vectorising the loop.
 *
 * What bounds it: a load, an addition and a store per element. */
#include "bench/table/reduce_columns.h"
#include "bench/table/rung.h"

const char *reduce_columns_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct reduce_columns_problem *p = problem;
    for (int64_t j = 0; j < p->n; ++j)
        p->y[j] = 0;
    for (int64_t i = 0; i < p->m; ++i) {
        for (int64_t j = 0; j < p->n; ++j) {
            p->y[j] += p->x[i * p->n + j];
            __asm__ volatile("");
        }
    }
    return NULL;
}
