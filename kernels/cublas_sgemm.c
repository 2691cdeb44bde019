/* cublasSgemm for row-major matrices, as the cublas rungs call it.
 *
 * - cuBLAS is column-major, as Fortran is. A row-major matrix read as column-major is its transpose, and C^T = B^T A^T.
 *   So the factors change places, and so do m and n. Nothing is copied.
 * - CUBLAS_PEDANTIC_MATH forbids all but FP32 arithmetic, TF32 above all, because most rows are called FP32.
 *   Other modes are for the rows that are called so.
 * - The _64 form takes sizes beyond 2^31.
 * - beta is 0: cuBLAS does not read C, which may hold NaN. */
#include "cublas_sgemm.h"

#include "cublas_handle.h"

static const char *multiply(cudaStream_t stream, cublasMath_t math, bool a_transposed, bool b_transposed, int64_t m,
                            int64_t n, int64_t k, const float *a, int64_t a_row, const float *b, int64_t b_row,
                            float *c, int64_t c_row)
{
    cublasHandle_t handle;
    TRY_CALL(cublas_handle(stream, math, &handle));
    static const float one = 1, zero = 0;
    TRY_CUBLAS(cublasSgemm_64, handle, b_transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
               a_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, n, m, k, &one, b, b_row, a, a_row, &zero, c, c_row);
    return NULL;
}

const char *cublas_sgemm(cudaStream_t stream, bool a_transposed, bool b_transposed, int64_t m, int64_t n, int64_t k,
                         const float *a, const float *b, float *c)
{
    return multiply(stream, CUBLAS_PEDANTIC_MATH, a_transposed, b_transposed, m, n, k, a, a_transposed ? m : k, b,
                    b_transposed ? k : n, c, n);
}

const char *cublas_sgemm_of_parts(cudaStream_t stream, bool a_transposed, int64_t m, int64_t n, int64_t k,
                                  const float *a, int64_t a_row, const float *b, int64_t b_row, float *c, int64_t c_row)
{
    return multiply(stream, CUBLAS_PEDANTIC_MATH, a_transposed, false, m, n, k, a, a_row, b, b_row, c, c_row);
}

const char *cublas_sgemm_in(cublasMath_t math, cudaStream_t stream, int64_t m, int64_t n, int64_t k, const float *a,
                            const float *b, float *c)
{
    return multiply(stream, math, false, false, m, n, k, a, k, b, n, c, n);
}
