/* matmul_batched cublas: NVIDIA's library, which the ladder is compared with.
 *
 * Technique: cublasSgemmStridedBatched (kernels/cublas_sgemm.c), one call for all products, which lie in equal
 * distances.
 *
 * What bounds it: the library chooses its kernel by the sizes; for products smaller than its tiles, what it computes
 * outside them. */
#include "bench/table/matmul_batched.h"
#include "bench/table/rung.h"
#include "kernels/cublas_sgemm.h"

const char *matmul_batched_cublas(const void *problem, void *stream)
{
    const struct matmul_batched_problem *p = problem;
    return cublas_sgemm_batched(stream, p->batch, p->m, p->n, p->k, p->a, p->b, p->c);
}
