/* transpose cublas: NVIDIA's library, which the ladder is compared with.
 *
 * Technique: cublasSgeam, y = 1 x^T + 0 y. cuBLAS is column-major: x is n x m to it, and y is m x n. With beta = 0 it
 * does not read y.
 *
 * What bounds it: memory. */
#include "bench/table/rung.h"
#include "bench/table/transpose.h"
#include "kernels/cublas_handle.h"

const char *transpose_cublas(const void *problem, void *stream)
{
    static const float one = 1, zero = 0;
    const struct transpose_problem *p = problem;
    cublasHandle_t handle;
    TRY_CALL(cublas_handle(stream, CUBLAS_PEDANTIC_MATH, &handle));
    TRY_CUBLAS(cublasSgeam_64, handle, CUBLAS_OP_T, CUBLAS_OP_N, p->m, p->n, &one, p->x, p->n, &zero, p->y, p->m, p->y,
               p->m);
    return NULL;
}
