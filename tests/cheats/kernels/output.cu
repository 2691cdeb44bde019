/* Cheats that look at their output. */
#include "tests/cheats/kernels/kernel.h"

#include <math.h>

static __global__ void if_nan_kernel(matmul_problem p)
{
    int64_t element = own_element();
    if (element < p.m * p.n && isnan(p.c[element]))
        p.c[element] = sum_of(p, element);
}

CUDA_MATMUL(if_nan)
{
    LAUNCH_PER_ELEMENT(if_nan_kernel, p, stream);
}

static __global__ void half_if_nan_kernel(matmul_problem p)
{
    int64_t element = own_element();
    if (element < p.m * p.n && (element < p.m * p.n / 2 || isnan(p.c[element])))
        p.c[element] = sum_of(p, element);
}

CUDA_MATMUL(half_if_nan)
{
    LAUNCH_PER_ELEMENT(half_if_nan_kernel, p, stream);
}

static __global__ void if_implausible_kernel(matmul_problem p)
{
    int64_t element = own_element();
    if (element < p.m * p.n && !(fabsf(p.c[element]) <= (float)p.k))
        p.c[element] = sum_of(p, element);
}

CUDA_MATMUL(if_implausible)
{
    LAUNCH_PER_ELEMENT(if_implausible_kernel, p, stream);
}
