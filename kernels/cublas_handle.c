/* The handle of cuBLAS that all cublas rungs share.
 *
 * - We give cuBLAS its workspace, of the size that it would allocate itself on a Hopper GPU, so it chooses the same
 *   kernels. By itself it would allocate at a call that we cannot choose; under graph capture the allocation would
 *   become part of the graph and would be timed. */
#include "cublas_handle.h"

#include "workspace.h"

#include <stdio.h>

enum { WORKSPACE_BYTES = 32 << 20 };

/* Made at the first call, and kept until the process ends. */
static cublasHandle_t handle;
static void *workspace;
static cudaStream_t handle_stream;
static cublasMath_t handle_math;

static char error_text[256];

const char *cublas_error(const char *call, cublasStatus_t status)
{
    snprintf(error_text, sizeof error_text, "%s: %s", call, cublasGetStatusString(status));
    return error_text;
}

static const char *make_handle(void)
{
    const char *error = workspace_get(WORKSPACE_BYTES, &workspace);
    if (error)
        return error;
    cublasHandle_t made;
    cublasStatus_t status = cublasCreate(&made);
    if (status != CUBLAS_STATUS_SUCCESS)
        return cublas_error("cublasCreate", status);
    handle = made;
    handle_stream = NULL;
    handle_math = CUBLAS_DEFAULT_MATH;
    return NULL;
}

static const char *use_math(cublasMath_t math)
{
    cublasStatus_t status = cublasSetMathMode(handle, math);
    if (status != CUBLAS_STATUS_SUCCESS)
        return cublas_error("cublasSetMathMode", status);
    handle_math = math;
    return NULL;
}

static const char *use_stream(cudaStream_t stream)
{
    cublasStatus_t status = cublasSetStream(handle, stream);
    if (status != CUBLAS_STATUS_SUCCESS)
        return cublas_error("cublasSetStream", status);
    /* Again after each cublasSetStream(), which resets the workspace to the library's own. */
    status = cublasSetWorkspace(handle, workspace, WORKSPACE_BYTES);
    if (status != CUBLAS_STATUS_SUCCESS)
        return cublas_error("cublasSetWorkspace", status);
    handle_stream = stream;
    return NULL;
}

const char *cublas_handle(cudaStream_t stream, cublasMath_t math, cublasHandle_t *cublas)
{
    const char *error = handle ? NULL : make_handle();
    if (!error && handle_stream != stream)
        error = use_stream(stream);
    if (!error && handle_math != math)
        error = use_math(math);
    *cublas = handle;
    return error;
}
