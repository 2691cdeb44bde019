/* matmul_grad_a openblas: cblas_sgemm of OpenBLAS, which the ladder is compared with.
 *
 * Technique: told that B is transposed, it packs its blocks in the other direction; the micro-kernels are the same.
 *
 * What bounds it: where N is small, writing dA. On large matrices the multiply-add units. */
#include "bench/table/matmul_grad_a.h"
#include "bench/table/rung.h"
#include "cpu/openblas_sgemm.h"

const char *matmul_grad_a_openblas(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_grad_a_problem *p = problem;
    return openblas_sgemm(false, true, p->m, p->k, p->n, p->dc, p->b, p->da);
}
