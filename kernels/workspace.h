/* Memory of the GPU that a rung keeps from call to call. */
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdio.h>

/* Sets *memory to at least `bytes` bytes, which hold anything: always the same, unless a call asks for more than all
 * before it. That is a problem's first call, which is never timed. NULL, or an error message that is valid until the
 * next call. Each file that includes this has a workspace of its own. */
static inline const char *workspace_get(size_t bytes, void **memory)
{
    static void *kept;
    static size_t kept_bytes;
    static char error[160];
    if (bytes > kept_bytes) {
        (void)cudaFree(kept);
        kept_bytes = 0;
        cudaError_t status = cudaMalloc(&kept, bytes);
        if (status != cudaSuccess) {
            (void)cudaGetLastError(); /* so that no later call reports it again */
            kept = NULL;
            snprintf(error, sizeof error, "cudaMalloc of %zu bytes of workspace: %s", bytes,
                     cudaGetErrorString(status));
            return error;
        }
        kept_bytes = bytes;
    }
    *memory = kept;
    return NULL;
}
