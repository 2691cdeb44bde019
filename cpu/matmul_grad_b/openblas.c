/* matmul_grad_b openblas: cblas_sgemm of OpenBLAS, which the ladder is compared with.
 *
 * Technique: told that A is transposed, it packs its blocks in the other direction; the micro-kernels are the same.
 *
 * What bounds it: where N is small, reading A, and packing it, which costs as much as the
 * product. On large matrices the multiply-add units. */
#include "bench/table/matmul_grad_b.h"
#include "bench/table/rung.h"
#include "cpu/openblas_sgemm.h"

const char *matmul_grad_b_openblas(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_grad_b_problem *p = problem;
    return openblas_sgemm(true, false, p->k, p->n, p->m, p->a, p->dc, p->db);
}
