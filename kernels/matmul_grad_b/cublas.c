/* matmul_grad_b cublas: NVIDIA's library, which the ladder is compared with.
 *
 * Technique: cublasSgemm (kernels/cublas_sgemm.c), told that A lies transposed. dB is small and its sums are long, so
 * cuBLAS has to cut the batch into parts to keep the GPU busy, and to add the parts.
 *
 * What bounds it: where N is small, reading A. On large squares FP32 arithmetic. */
#include "bench/table/matmul_grad_b.h"
#include "bench/table/rung.h"
#include "kernels/cublas_sgemm.h"

const char *matmul_grad_b_cublas(const void *problem, void *stream)
{
    const struct matmul_grad_b_problem *p = problem;
    return cublas_sgemm(stream, true, false, p->k, p->n, p->m, p->a, p->dc, p->db);
}
