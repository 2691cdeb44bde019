/* Kernels of the user's own in CUDA, compiled by nvcc for the GPU that is there, as the rungs are (FindCuda.cmake). */
#include "cuda_toolchain.h"

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdio.h>

static const char *const compilers[] = {"nvcc", "$CUDA_HOME/bin/nvcc", "/usr/local/cuda/bin/nvcc", NULL};
static const char *const flags[] = {
    "-std=c++17", "-O3", "--fmad=true", "-lineinfo", "-shared", "-Xcompiler=-fPIC", "-Xlinker=-Bsymbolic", NULL};

/* Queries that create no context. */
static const char *target(int device)
{
    static char text[32];
    int count = 0, major = 0, minor = 0;
    int chosen = device < 0 ? 0 : device;
    if (cudaGetDeviceCount(&count) != cudaSuccess || chosen >= count ||
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, chosen) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, chosen) != cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    snprintf(text, sizeof text, "-arch=sm_%d%d%s", major, minor, major >= 9 ? "a" : "");
    return text;
}

const struct toolchain cuda_toolchain = {
    .suffix = ".cu",
    .compilers = compilers,
    .flags = flags,
    .before_solution = "kernels/solution_begin.h",
    .after_solution = "kernels/solution_end.h",
    .adds_streams = true,
    .sign = ".nv_fatbin",
    .target = target,
};
