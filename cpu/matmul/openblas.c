/* matmul_openblas: cblas_sgemm of OpenBLAS, which the ladder is compared with.
 *
 * Technique: hand-written micro-kernels per family of processors, packed blocks of both matrices, and threads of its
 * own; the backend sets their number. blas_version in the results names the core type that the micro-kernels are for.
 *
 * What bounds it: the multiply-add units on large matrices. On tall and narrow ones, such as MNIST's, packing A, which
 * costs as much as the product.
 *
 * Measured, results/h200-x1/default.csv.gz:
 *   matmul/mnist/openblas/cold 3.922 ms */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "cpu/openblas_sgemm.h"

const char *matmul_openblas(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_problem *p = problem;
    return openblas_sgemm(false, false, p->m, p->n, p->k, p->a, p->b, p->c);
}
