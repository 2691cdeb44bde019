/* cuBLAS's product of FP32 matrices, for the cublas rungs. */
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Queues C = A B, C m x n, all row-major without padding. A transposed factor lies as A^T, k x m, or as B^T, n x k.
 * NULL, or an error message that is valid until the next call. */
const char *cublas_sgemm(cudaStream_t stream, bool a_transposed, bool b_transposed, int64_t m, int64_t n, int64_t k,
                         const float *a, const float *b, float *c);

/* The same of parts of matrices, whose rows begin so many elements behind each other. */
const char *cublas_sgemm_of_parts(cudaStream_t stream, bool a_transposed, int64_t m, int64_t n, int64_t k,
                                  const float *a, int64_t a_row, const float *b, int64_t b_row, float *c,
                                  int64_t c_row);

/* The same in a math mode of cublas_handle(), where cuBLAS has a kernel for that. */
const char *cublas_sgemm_in(cublasMath_t math, cudaStream_t stream, int64_t m, int64_t n, int64_t k, const float *a,
                            const float *b, float *c);

#ifdef __cplusplus
}
#endif
