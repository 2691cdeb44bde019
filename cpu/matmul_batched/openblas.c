/* matmul_batched openblas: cblas_sgemm of OpenBLAS for one product after the other, which the ladder is compared with.
 *
 * Technique: a loop. Each call checks, chooses and packs again, for little work.
 *
 * What bounds it: the calls, where products are small. */
#include "bench/table/matmul_batched.h"
#include "bench/table/rung.h"
#include "cpu/openblas_sgemm.h"

const char *matmul_batched_openblas(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_batched_problem *p = problem;
    const char *error = NULL;
    for (int64_t i = 0; i < p->batch && !error; ++i)
        error = openblas_sgemm(false, false, p->m, p->n, p->k, p->a + i * p->m * p->k, p->b + i * p->k * p->n,
                               p->c + i * p->m * p->n);
    return error;
}
