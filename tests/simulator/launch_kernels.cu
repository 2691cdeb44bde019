#include "launch_kernels.h"

#include "kernels/launch.h"

/* No GPU runs these; a simulator that does ends them soon. */
#define IMPOSSIBLE_KERNEL(name, grid, block, shared)                     \
    static __global__ void name##_kernel(const int *in, int *, int n)    \
    {                                                                    \
        SHARED_ARRAY(int, row, 1);                                       \
        row[n] = in[0];                                                  \
    }                                                                    \
    const char *impossible_##name(const int *in, int *out, int n)        \
    {                                                                    \
        LAUNCH(name##_kernel, grid, block, shared, nullptr, in, out, n); \
        return launch_error("a rung");                                   \
    }
IMPOSSIBLE_KERNELS(IMPOSSIBLE_KERNEL)

static __global__ void count_threads_kernel(int *count)
{
    atomicAdd(count, 1);
}

int count_launched_threads(const unsigned grid[3], const unsigned block[3], size_t shared_bytes, int *out)
{
    out[0] = 0;
    if (cudaFuncSetAttribute(count_threads_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes))
        return -1;
    LAUNCH(count_threads_kernel, dim3(grid[0], grid[1], grid[2]), dim3(block[0], block[1], block[2]), shared_bytes,
           nullptr, out);
    return launch_error("a rung") ? -1 : out[0];
}

static __constant__ int symbol[4];

const char *copy_beyond_a_symbol(const int *in)
{
    return cudaGetErrorString(
        cudaMemcpyToSymbolAsync(symbol, in, 3 * sizeof *in, 2 * sizeof *in, cudaMemcpyDeviceToDevice, nullptr));
}
