/* allreduce cpu_scalar: one thread adds array after array to the sums.
 *
 * What bounds it: two loads, an addition and a store per element; of arrays that the caches do not hold, what one core
 * gets of the memory's bandwidth. */
#include "bench/table/allreduce.h"
#include "bench/table/rung.h"

const char *allreduce_cpu_scalar(const void *problem, void *stream)
{
    const struct allreduce_problem *p = problem;
    (void)stream;
    for (int64_t i = 0; i < p->n; i++)
        p->y[i] = p->x[i];
    for (int64_t card = 1; card < p->cards; card++)
        for (int64_t i = 0; i < p->n; i++)
            p->y[i] += p->x[card * p->n + i];
    return NULL;
}
