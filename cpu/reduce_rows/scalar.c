/* reduce_rows cpu_scalar: one element after the other, on one thread.
 *
 * Technique: the rule as it is written. Speed-ups are divided by this rung. The compiler may not reorder additions of
 * floating-point numbers, so it does not vectorise the loop.
 *
 * What bounds it: each addition waits for the one before, some cycles per element. */
#include "bench/table/reduce_rows.h"
#include "bench/table/rung.h"

const char *reduce_rows_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct reduce_rows_problem *p = problem;
    for (int64_t i = 0; i < p->m; ++i) {
        float sum = 0;
        for (int64_t j = 0; j < p->n; ++j)
            sum += p->x[i * p->n + j];
        p->y[i] = sum;
    }
    return NULL;
}
