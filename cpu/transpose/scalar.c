/* transpose cpu_scalar: one element after the other, on one thread.
 *
 * Technique: the rule as it is written, along the rows of x. Speed-ups are divided by this rung, so it stays as it is:
 * the empty assembly keeps the compiler from changing the order of the loops.
 *
 * What bounds it: each store is to another line of y. Of a large matrix a line has left the caches before its next
 * element comes. */
#include "bench/table/rung.h"
#include "bench/table/transpose.h"

const char *transpose_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct transpose_problem *p = problem;
    for (int64_t i = 0; i < p->m; ++i) {
        for (int64_t j = 0; j < p->n; ++j) {
            p->y[j * p->m + i] = p->x[i * p->n + j];
            __asm__ volatile("");
        }
    }
    return NULL;
}
