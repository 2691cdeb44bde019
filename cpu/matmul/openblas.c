/* matmul_openblas: cblas_sgemm of OpenBLAS, which the ladder is compared with.
 *
 * Technique: hand-written micro-kernels per family of processors, packed blocks of both matrices, and threads of its
 * own; the backend sets their number. blas_version in the results names the core type that the micro-kernels are for.
 *
 * What bounds it: the multiply-add units on large matrices. On tall and narrow ones, such as MNIST's, packing A, which
 * costs as much as the product.
 *
 * Measured: matmul/mnist/openblas/cold 3.923 ms (results/h200/mnist.csv) */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"

#include <cblas.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

const char *matmul_openblas(const void *problem, void *stream)
{
    (void)stream;
    const struct matmul_problem *p = problem;
    /* blasint has 32 or 64 bits, depending on the build of OpenBLAS. */
    const int64_t largest = sizeof(blasint) == sizeof(int) ? INT_MAX : INT64_MAX;
    if (p->m > largest || p->n > largest || p->k > largest) {
        static char error[160];
        snprintf(error, sizeof error, "openblas: sizes %lldx%lldx%lld (M x K x N) exceed its integers, at most %lld",
                 (long long)p->m, (long long)p->k, (long long)p->n, (long long)largest);
        return error;
    }
    const blasint m = (blasint)p->m, n = (blasint)p->n, k = (blasint)p->k;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0F, p->a, k, p->b, n, 0.0F, p->c, n);
    return NULL;
}
