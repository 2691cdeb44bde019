/* Memory of the GPU that a rung keeps from call to call. */
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdio.h>

enum { WORKSPACE_DEVICES = 16 };

struct workspace {
    void *memory;
    size_t bytes;
};

/* Sets *memory to at least `bytes` bytes on the current device, which hold anything: always the same, unless a call
 * asks for more than all before it. That is a problem's first call, which is never timed. NULL, or an error message
 * that is valid until the next call. Each file that includes this has a workspace of its own on each device. */
static inline const char *workspace_get(size_t bytes, void **memory)
{
    static struct workspace on[WORKSPACE_DEVICES];
    static char error[160];
    int device = 0;
    (void)cudaGetDevice(&device);
    struct workspace *kept = &on[device % WORKSPACE_DEVICES];
    if (bytes > kept->bytes) {
        (void)cudaFree(kept->memory);
        kept->bytes = 0;
        cudaError_t status = cudaMalloc(&kept->memory, bytes);
        if (status != cudaSuccess) {
            (void)cudaGetLastError(); /* so that no later call reports it again */
            kept->memory = NULL;
            snprintf(error, sizeof error, "cudaMalloc of %zu bytes of workspace: %s", bytes,
                     cudaGetErrorString(status));
            return error;
        }
        kept->bytes = bytes;
    }
    *memory = kept->memory;
    return NULL;
}
