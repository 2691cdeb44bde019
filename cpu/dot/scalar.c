/* dot cpu_scalar: one product after the other, on one thread.
 *
 * Technique: the rule as it is written. Speed-ups are divided by this rung. The compiler may not reorder additions of
 * floating-point numbers, so it does not vectorise the loop.
 *
 * What bounds it: each addition waits for the one before, some cycles per element. */
#include "bench/table/dot.h"
#include "bench/table/rung.h"

const char *dot_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct dot_problem *p = problem;
    float sum = 0;
    for (int64_t i = 0; i < p->n; ++i)
        sum += p->x[i] * p->y[i];
    *p->dot = sum;
    return NULL;
}
