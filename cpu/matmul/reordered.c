/* matmul_cpu_reordered: the same multiplications in i-k-j order, on one thread.
 *
 * Technique: the two inner loops change places, so that the innermost one adds a multiple of a row of B to a row of
 * C. Both are read with stride one, and the additions do not depend on each other: the compiler vectorises them, with
 * the instructions that every machine of this architecture has.
 *
 * Fixes in cpu_scalar: columns of B are no longer walked down, and no addition waits for the one before. What bounds
 * it now: for each vector multiplied, one of C and one of B are loaded and one of C is stored; B, if larger than the
 * caches, comes from memory again for each row of A. With N = 10 there is little to vectorise.
 *
 * Measured: matmul/mnist/cpu_reordered/cold 111.1 ms (results/h200/mnist.csv) */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"

#include <stddef.h>

/* c[n] += a * b[n] */
static void add_multiple(int64_t n, float a, const float *restrict b, float *restrict c)
{
    for (int64_t j = 0; j < n; ++j)
        c[j] += a * b[j];
}

const char *matmul_cpu_reordered(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_problem *p = problem;
    for (int64_t i = 0; i < p->m; ++i) {
        float *c = p->c + i * p->n;
        for (int64_t j = 0; j < p->n; ++j)
            c[j] = 0;
        for (int64_t k = 0; k < p->k; ++k)
            add_multiple(p->n, p->a[i * p->k + k], p->b + k * p->n, c);
    }
    return NULL;
}
