/* matmul blis: cblas_sgemm of BLIS, which the ladder is compared with.
 *
 * Technique: five loops around a micro-kernel, which alone is written for a family of processors; both matrices are
 * packed, and threads share out the loops.
 *
 * What bounds it: the multiply-add units on large matrices; on narrow ones packing. */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "cpu/backend/opened_blas.h"

const char *matmul_blis(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_problem *p = problem;
    return opened_blas_multiply(RUNG_BLIS, p->m, p->n, p->k, p->a, p->b, p->c);
}
