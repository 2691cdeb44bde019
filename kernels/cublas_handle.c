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

const char *cublas_check(const char *call, cublasStatus_t status)
{
    static char text[256];
    if (status == CUBLAS_STATUS_SUCCESS)
        return NULL;
    snprintf(text, sizeof text, "%s: %s", call, cublasGetStatusString(status));
    return text;
}

static const char *make_handle(void)
{
    TRY_CALL(workspace_get(WORKSPACE_BYTES, &workspace));
    cublasHandle_t made;
    TRY_CUBLAS(cublasCreate, &made);
#if CUBLAS_VERSION >= 120900
    TRY_CUBLAS(cublasSetEmulationStrategy, made, CUBLAS_EMULATION_STRATEGY_EAGER); /* else it may not emulate */
#endif
    handle = made;
    handle_math = CUBLAS_DEFAULT_MATH;
    return NULL;
}

const char *cublas_handle(cudaStream_t stream, cublasMath_t math, cublasHandle_t *cublas)
{
    if (!handle)
        TRY_CALL(make_handle());
    if (handle_stream != stream) {
        TRY_CUBLAS(cublasSetStream, handle, stream);
        /* Again after each cublasSetStream(), which resets the workspace to the library's own. */
        TRY_CUBLAS(cublasSetWorkspace, handle, workspace, WORKSPACE_BYTES);
        handle_stream = stream;
    }
    if (handle_math != math) {
        TRY_CUBLAS(cublasSetMathMode, handle, math);
        handle_math = math;
    }
    *cublas = handle;
    return NULL;
}
