/* zip cpu_scalar: one element after the other, on one thread.
 *
 * Technique: the rule as it is written. The strides know where an element of the view is; a stride of 0 stays where it
 * is. Speed-ups are divided by this rung, so it stays scalar: the empty assembly keeps the compiler from vectorising
 * the loop.
 *
 * What bounds it: two loads, a multiply-add and a store per element; of a large transposed view the loads of z, each
 * from another line. */
#include "bench/table/rung.h"
#include "bench/table/zip.h"

const char *zip_cpu_scalar(const void *problem, void *stream)
{
    (void)stream;
    const struct zip_problem *p = problem;
    for (int64_t i = 0; i < p->m; ++i) {
        for (int64_t j = 0; j < p->n; ++j) {
            p->y[i * p->n + j] = ZIP_A * p->x[i * p->n + j] + p->z[i * p->z_row + j * p->z_column];
            __asm__ volatile("");
        }
    }
    return NULL;
}
