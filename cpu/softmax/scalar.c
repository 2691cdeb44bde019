/* softmax cpu_scalar: row after row, in three passes, on one thread.
 *
 * Technique: the rule as it is written: the largest element, then the exponentials and their sum, then the division.
 * The largest element is subtracted first, or exp would overflow from 89 on. Speed-ups are divided by this rung.
 *
 * What bounds it: expf, once per element. */
#include "bench/table/rung.h"
#include "bench/table/softmax.h"

#include <math.h>

const char *softmax_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct softmax_problem *p = problem;
    for (int64_t i = 0; i < p->m; ++i) {
        const float *x = p->x + i * p->n;
        float *y = p->y + i * p->n, largest = x[0], sum = 0;
        for (int64_t j = 1; j < p->n; ++j)
            largest = x[j] > largest ? x[j] : largest;
        for (int64_t j = 0; j < p->n; ++j) {
            y[j] = expf(x[j] - largest);
            sum += y[j];
        }
        for (int64_t j = 0; j < p->n; ++j)
            y[j] /= sum;
    }
    return NULL;
}
