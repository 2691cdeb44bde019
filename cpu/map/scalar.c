/* map cpu_scalar: one element after the other, on one thread.
 *
 * Technique: the rule as it is written. Speed-ups are divided by this rung, so it stays scalar: the empty assembly
 * keeps the compiler from vectorising the loop.
 *
 * What bounds it: a load, a comparison and a store per element. */
#include "bench/table/map.h"
#include "bench/table/rung.h"

const char *map_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct map_problem *p = problem;
    for (int64_t i = 0; i < p->n; ++i) {
        /* An index, not a branch, which the CPU would learn to predict while the input stays the same. */
        const float x[2] = {p->x[i], 0};
        p->y[i] = x[x[0] <= 0];
        __asm__ volatile("");
    }
    return NULL;
}
