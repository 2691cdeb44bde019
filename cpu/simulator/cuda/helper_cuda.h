/* What programs take most from the header of this name of NVIDIA's samples. */
#pragma once

#include "cuda_runtime.h"

#include <cstdio>
#include <cstdlib>

namespace simt
{
inline void check(cudaError_t status, const char *what, const char *file, int line)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(status));
    exit(EXIT_FAILURE);
}
} // namespace simt

#define checkCudaErrors(value) simt::check((value), #value, __FILE__, __LINE__)
#define getLastCudaError(text) simt::check(cudaGetLastError(), text, __FILE__, __LINE__)

#define EXIT_WAIVED 2

SIMT_RETURNS(int, findCudaDevice, (int, const char **), 0)
SIMT_RETURNS(int, gpuGetMaxGflopsDeviceId, (), 0)
SIMT_RETURNS(int, _ConvertSMVer2Cores, (int, int), 128)
SIMT_RETURNS(bool, checkCudaCapabilities, (int, int), true)
