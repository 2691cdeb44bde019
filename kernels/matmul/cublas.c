/* matmul cublas: NVIDIA's library, the yardstick of the ladder.
 *
 * Technique: cublasSgemm. cuBLAS holds many kernels, for tiles of many sizes, and chooses one by the shape and the
 * card; its FP32 kernels use what the rungs before this one lead to, and more: register tiles, copies that run ahead of
 * the arithmetic, and splitting along k where C is small.
 *
 * What to know of the call:
 * - cuBLAS is column-major, as Fortran is. A row-major matrix read column-major is its transpose, and C^T = B^T A^T. So
 *   the factors change places, m and n too, and nothing is transposed or copied.
 * - CUBLAS_PEDANTIC_MATH forbids everything that is not FP32 arithmetic, TF32 above all. This row is called FP32, and
 *   is held to that.
 * - The _64 form takes sizes beyond 2^31.
 * - The workspace is our own, of the size that cuBLAS itself takes on a Hopper card, hence the same choice of kernels.
 *   Left alone, cuBLAS would allocate it at some call of its own choosing, and under graph capture put the allocation
 *   into the graph, where it would be timed.
 * - beta is 0, which means that C is not read: it may hold NaN before.
 *
 * What bounds it: large squares are bound by FP32 arithmetic. Narrow shapes such as MNIST's ten columns are bound by
 * reading A, and there is room left for a kernel made for them.
 *
 * Measured: matmul/mnist/cublas/cold 72.13 us (results/h200/mnist.csv) */
#include "bench/table/matmul.h"
#include "bench/table/rung.h"

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <stdio.h>

enum { WORKSPACE_BYTES = 32 << 20 };

/* Made at the first call, and kept as long as the process. */
static cublasHandle_t handle;
static void *workspace;
static cudaStream_t handle_stream;

static char error_text[256];

static const char *cublas_error(const char *call, cublasStatus_t status)
{
    snprintf(error_text, sizeof error_text, "%s: %s", call, cublasGetStatusString(status));
    return error_text;
}

static const char *make_handle(void)
{
    if (!workspace) {
        cudaError_t status = cudaMalloc(&workspace, WORKSPACE_BYTES);
        if (status != cudaSuccess) {
            (void)cudaGetLastError(); /* told here, so that nothing later is blamed for it */
            workspace = NULL;
            snprintf(error_text, sizeof error_text, "cudaMalloc of %d bytes of workspace for cuBLAS: %s",
                     WORKSPACE_BYTES, cudaGetErrorString(status));
            return error_text;
        }
    }
    cublasHandle_t made;
    cublasStatus_t status = cublasCreate(&made);
    if (status != CUBLAS_STATUS_SUCCESS)
        return cublas_error("cublasCreate", status);
    status = cublasSetMathMode(made, CUBLAS_PEDANTIC_MATH);
    if (status != CUBLAS_STATUS_SUCCESS) {
        (void)cublasDestroy(made);
        return cublas_error("cublasSetMathMode(CUBLAS_PEDANTIC_MATH)", status);
    }
    handle = made;
    handle_stream = NULL;
    return NULL;
}

static const char *use_stream(cudaStream_t stream)
{
    cublasStatus_t status = cublasSetStream(handle, stream);
    if (status != CUBLAS_STATUS_SUCCESS)
        return cublas_error("cublasSetStream", status);
    /* After each cublasSetStream(), because that call goes back to the library's own workspace. */
    status = cublasSetWorkspace(handle, workspace, WORKSPACE_BYTES);
    if (status != CUBLAS_STATUS_SUCCESS)
        return cublas_error("cublasSetWorkspace", status);
    handle_stream = stream;
    return NULL;
}

const char *matmul_cublas(const void *problem, void *stream)
{
    const struct matmul_problem *p = problem;
    const char *error = handle ? NULL : make_handle();
    if (!error && handle_stream != (cudaStream_t)stream)
        error = use_stream(stream);
    if (error)
        return error;
    static const float one = 1, zero = 0;
    cublasStatus_t status = cublasSgemm_64(handle, CUBLAS_OP_N, CUBLAS_OP_N, p->n, p->m, p->k, &one, p->b, p->n, p->a,
                                           p->k, &zero, p->c, p->n);
    return status == CUBLAS_STATUS_SUCCESS ? NULL : cublas_error("cublasSgemm_64", status);
}
