/* matmul mkl: cblas_sgemm of Intel's MKL, which the ladder is compared with.
 *
 * Technique: kernels for each family of Intel's processors, small products without packing, threads only where they
 * pay. On other processors it runs what their instruction set allows.
 *
 * What bounds it: the multiply-add units on large matrices, memory on MNIST's. */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "cpu/backend/opened_blas.h"

const char *matmul_mkl(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_problem *p = problem;
    return opened_blas_multiply(RUNG_MKL, p->m, p->n, p->k, p->a, p->b, p->c);
}
