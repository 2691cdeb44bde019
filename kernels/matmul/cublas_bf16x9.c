/* matmul cublas_bf16x9: NVIDIA's library with FP32 emulated on tensor cores.
 *
 * Technique: the same call as in cublas, under another math mode (kernels/cublas_sgemm.c). A factor is the sum of three
 * numbers in BF16, exactly, and all nine products of parts are added up in FP32: no bit is lost but by the sums, so the
 * row is FP32. GPUs of compute capability 10.0 and 10.3 scale such products as they add them; cuBLAS emulates nowhere
 * else. With the strategy "eager" it does so wherever it can; by itself it does so only where that is faster.
 *
 * What bounds it: a ninth of the tensor cores' rate in BF16.
 *
 * Source: cuBLAS Library User Guide, "Floating Point Emulation". */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "kernels/cublas_handle.h"
#include "kernels/cublas_sgemm.h"

const char *matmul_cublas_bf16x9(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    return cublas_sgemm_in(CUBLAS_FP32_EMULATED_BF16X9_MATH, stream, p->m, p->n, p->k, p->a, p->b, p->c);
}
