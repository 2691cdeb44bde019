/* matmul_grad_a cublas: NVIDIA's library, which the ladder is compared with.
 *
 * Technique: cublasSgemm (kernels/cublas_sgemm.c), told that B lies transposed. It reads B as it lies, and turns it on
 * the way through shared memory or registers.
 *
 * What bounds it: where N is small, writing dA. On large squares FP32 arithmetic. */
#include "bench/table/matmul_grad_a.h"
#include "bench/table/rung.h"
#include "kernels/cublas_sgemm.h"

const char *matmul_grad_a_cublas(const void *problem, void *stream)
{
    const struct matmul_grad_a_problem *p = problem;
    return cublas_sgemm(stream, false, true, p->m, p->k, p->n, p->dc, p->b, p->da);
}
