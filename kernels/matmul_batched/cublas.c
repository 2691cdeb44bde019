/* matmul_batched cublas: NVIDIA's library, which the ladder is compared with.
 *
 * Technique: cublasSgemmStridedBatched, one call for all products, which lie in equal distances. Its matrices are
 * column-major, so the factors change places, as in kernels/cublas_sgemm.c.
 *
 * What bounds it: the library chooses its kernel by the sizes; for products smaller than its tiles, what it computes
 * outside them. */
#include "bench/table/matmul_batched.h"
#include "bench/table/rung.h"
#include "kernels/cublas_handle.h"

const char *matmul_batched_cublas(const void *problem, void *stream)
{
    static const float one = 1, zero = 0;
    const struct matmul_batched_problem *p = problem;
    cublasHandle_t handle;
    TRY_CALL(cublas_handle(stream, CUBLAS_PEDANTIC_MATH, &handle));
    TRY_CUBLAS(cublasSgemmStridedBatched_64, handle, CUBLAS_OP_N, CUBLAS_OP_N, p->n, p->m, p->k, &one, p->b, p->n,
               p->k * p->n, p->a, p->k, p->m * p->k, &zero, p->c, p->n, p->m * p->n, p->batch);
    return NULL;
}
