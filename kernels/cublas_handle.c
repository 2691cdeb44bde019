/* The handles of cuBLAS that all cublas rungs share, one for each device.
 *
 * - We give cuBLAS its workspace, of the size that it would allocate itself on a Hopper GPU, so it chooses the same
 *   kernels. By itself it would allocate at a call that we cannot choose; under graph capture the allocation would
 *   become part of the graph and would be timed. */
#include "cublas_handle.h"

#include "workspace.h"

#include <stdio.h>

enum { WORKSPACE_BYTES = 32 << 20 };

/* Made at a device's first call, and kept until the process ends. */
static struct kept {
    cublasHandle_t handle;
    void *workspace;
    cudaStream_t stream;
    cublasMath_t math;
} kept_on[WORKSPACE_DEVICES];

const char *cublas_check(const char *call, cublasStatus_t status)
{
    static char text[256];
    if (status == CUBLAS_STATUS_SUCCESS)
        return NULL;
    snprintf(text, sizeof text, "%s: %s", call, cublasGetStatusString(status));
    return text;
}

static const char *make_handle(struct kept *kept)
{
    TRY_CALL(workspace_get(WORKSPACE_BYTES, &kept->workspace));
    cublasHandle_t made;
    TRY_CUBLAS(cublasCreate, &made);
#if CUBLAS_VERSION >= 120900
    TRY_CUBLAS(cublasSetEmulationStrategy, made, CUBLAS_EMULATION_STRATEGY_EAGER); /* else it may not emulate */
#endif
    kept->handle = made;
    kept->math = CUBLAS_DEFAULT_MATH;
    return NULL;
}

const char *cublas_handle(cudaStream_t stream, cublasMath_t math, cublasHandle_t *cublas)
{
    int device = 0;
    (void)cudaGetDevice(&device);
    struct kept *kept = &kept_on[device % WORKSPACE_DEVICES];
    if (!kept->handle)
        TRY_CALL(make_handle(kept));
    if (kept->stream != stream) {
        TRY_CUBLAS(cublasSetStream, kept->handle, stream);
        /* Again after each cublasSetStream(), which resets the workspace to the library's own. */
        TRY_CUBLAS(cublasSetWorkspace, kept->handle, kept->workspace, WORKSPACE_BYTES);
        kept->stream = stream;
    }
    if (kept->math != math) {
        TRY_CUBLAS(cublasSetMathMode, kept->handle, math);
        kept->math = math;
    }
    *cublas = kept->handle;
    return NULL;
}
