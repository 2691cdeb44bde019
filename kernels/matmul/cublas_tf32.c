/* matmul cublas_tf32: NVIDIA's library with TF32 allowed.
 *
 * Technique: the same call as in cublas, under another math mode (kernels/cublas_sgemm.c). cuBLAS may then round
 * factors to TF32 and multiply on tensor cores; whether it does is its choice, by shape. The answer has far larger
 * errors, so this row is no library to compare FP32 with, and never best: it stands beside cuda_tf32.
 *
 * What bounds it: the tensor cores on large squares, reading A on narrow shapes. */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "kernels/cublas_sgemm.h"

const char *matmul_cublas_tf32(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    return cublas_sgemm_in(CUBLAS_TF32_TENSOR_OP_MATH, stream, p->m, p->n, p->k, p->a, p->b, p->c);
}
