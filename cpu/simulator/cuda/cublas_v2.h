/* What programs take most from cuBLAS, by the CPU's BLAS (cuBLAS Library, CUDA Toolkit). */
#pragma once

#include "cuda_runtime.h"

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_EXECUTION_FAILED = 13 };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasMath_t { CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH, CUBLAS_PEDANTIC_MATH, CUBLAS_TF32_TENSOR_OP_MATH };
typedef struct cublasContext *cublasHandle_t;

extern "C" {
void cblas_sgemm(int order, int transposes_a, int transposes_b, int m, int n, int k, float alpha, const float *a,
                 int lda, const float *b, int ldb, float beta, float *c, int ldc);
void cblas_sgemv(int order, int transposes, int m, int n, float alpha, const float *a, int lda, const float *x,
                 int incx, float beta, float *y, int incy);
float cblas_sdot(int n, const float *x, int incx, const float *y, int incy);
void cblas_saxpy(int n, float alpha, const float *x, int incx, float *y, int incy);
void cblas_sscal(int n, float alpha, float *x, int incx);
}

namespace simt
{
enum { BY_COLUMNS = 102, AS_IT_IS = 111, TRANSPOSED };

inline int blas_operation(cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N ? AS_IT_IS : TRANSPOSED;
}

/* As a grid, which may touch device memory. */
template <typename F>
cublasStatus_t blas(const char *name, F call)
{
    start_function(name, call);
    return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
} // namespace simt

SIMT_RETURNS(cublasStatus_t, cublasCreate, (cublasHandle_t * handle), (*handle = nullptr, CUBLAS_STATUS_SUCCESS))
SIMT_RETURNS(cublasStatus_t, cublasDestroy, (cublasHandle_t), CUBLAS_STATUS_SUCCESS)
SIMT_RETURNS(cublasStatus_t, cublasSetStream, (cublasHandle_t, cudaStream_t), CUBLAS_STATUS_SUCCESS)
SIMT_RETURNS(cublasStatus_t, cublasSetMathMode, (cublasHandle_t, cublasMath_t), CUBLAS_STATUS_SUCCESS)

/* Each way: both sides are the host's. */
inline cublasStatus_t cublasSetVector(int n, int bytes, const void *x, int incx, void *y, int incy)
{
    const size_t each = (size_t)bytes, pitch = each * (size_t)incy, from_pitch = each * (size_t)incx;
    (void)cudaMemcpy2D(y, pitch, x, from_pitch, each, (size_t)n, cudaMemcpyDefault);
    return CUBLAS_STATUS_SUCCESS;
}

SIMT_RETURNS(cublasStatus_t, cublasGetVector, (int n, int bytes, const void *x, int incx, void *y, int incy),
             cublasSetVector(n, bytes, x, incx, y, incy))

inline cublasStatus_t cublasSgemm(cublasHandle_t, cublasOperation_t a_is, cublasOperation_t b_is, int m, int n, int k,
                                  const float *alpha, const float *a, int lda, const float *b, int ldb,
                                  const float *beta, float *c, int ldc)
{
    return simt::blas("cublasSgemm", [=] {
        cblas_sgemm(simt::BY_COLUMNS, simt::blas_operation(a_is), simt::blas_operation(b_is), m, n, k, *alpha, a, lda,
                    b, ldb, *beta, c, ldc);
    });
}

inline cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t a_is, cublasOperation_t b_is,
                                                int m, int n, int k, const float *alpha, const float *a, int lda,
                                                long long a_stride, const float *b, int ldb, long long b_stride,
                                                const float *beta, float *c, int ldc, long long c_stride, int count)
{
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    for (int i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; i++)
        status = cublasSgemm(handle, a_is, b_is, m, n, k, alpha, a + i * a_stride, lda, b + i * b_stride, ldb, beta,
                             c + i * c_stride, ldc);
    return status;
}

inline cublasStatus_t cublasSgemv(cublasHandle_t, cublasOperation_t a_is, int m, int n, const float *alpha,
                                  const float *a, int lda, const float *x, int incx, const float *beta, float *y,
                                  int incy)
{
    return simt::blas("cublasSgemv", [=] {
        cblas_sgemv(simt::BY_COLUMNS, simt::blas_operation(a_is), m, n, *alpha, a, lda, x, incx, *beta, y, incy);
    });
}

inline cublasStatus_t cublasSdot(cublasHandle_t, int n, const float *x, int incx, const float *y, int incy,
                                 float *result)
{
    return simt::blas("cublasSdot", [=] { *result = cblas_sdot(n, x, incx, y, incy); });
}

inline cublasStatus_t cublasSaxpy(cublasHandle_t, int n, const float *alpha, const float *x, int incx, float *y,
                                  int incy)
{
    return simt::blas("cublasSaxpy", [=] { cblas_saxpy(n, *alpha, x, incx, y, incy); });
}

inline cublasStatus_t cublasSscal(cublasHandle_t, int n, const float *alpha, float *x, int incx)
{
    return simt::blas("cublasSscal", [=] { cblas_sscal(n, *alpha, x, incx); });
}
