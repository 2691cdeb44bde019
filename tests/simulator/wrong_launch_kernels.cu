/* Launches at the limits of what a GPU can do, and beyond each of them. */
#include "wrong_kernels.h"

static __global__ void count_threads_kernel(int *count)
{
    atomicAdd(count, 1);
}

const char *count_launched_threads(const unsigned grid[3], const unsigned block[3], size_t shared_bytes, bool allowed,
                                   int *out)
{
    out[0] = 0;
    if (allowed &&
        cudaFuncSetAttribute(count_threads_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes))
        return "cudaFuncSetAttribute failed";
    LAUNCH(count_threads_kernel, dim3(grid[0], grid[1], grid[2]), dim3(block[0], block[1], block[2]), shared_bytes,
           nullptr, out);
    return launch_error("a rung");
}

static __constant__ int symbol[4];

const char *copy_beyond_a_symbol(const int *in)
{
    const cudaError_t status =
        cudaMemcpyToSymbolAsync(symbol, in, 3 * sizeof *in, 2 * sizeof *in, cudaMemcpyDeviceToDevice, nullptr);
    return cudaGetLastError() == status ? cudaGetErrorString(status) : "another error";
}
