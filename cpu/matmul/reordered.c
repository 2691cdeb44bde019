/* matmul_cpu_reordered: i-k-j loop order, on one thread.
 *
 * Technique: the two inner loops change places. The innermost loop now adds a multiple of a row of B to a row of C. It
 * reads both with stride one, and its additions do not depend on each other, so the compiler vectorises it, for the
 * baseline of the architecture.
 *
 * What it fixes in cpu_scalar: no loop walks down a column of B, and no addition waits for the one before it.
 *
 * What bounds it: loads and stores: each vector multiplication takes a load from B, and a load and a store of C. A B
 * that is larger than the caches is read from memory again for each row of A. With N = 10 there is little to vectorise.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   matmul/mnist/cpu_reordered/cold 113.3 ms */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"

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
