/* What the GPU is asked, by host code in C and C++. */
#pragma once

#include <cuda_runtime.h>

/* An attribute of the GPU, such as how many multiprocessors it has. 1 if it does not say: then launches fail, too. */
static inline int gpu_attribute(enum cudaDeviceAttr attribute)
{
    int device, value = 1;
    (void)(cudaGetDevice(&device) || cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}
