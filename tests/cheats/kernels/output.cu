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

/* Of the elements of a warp, one is computed, and the others only if C has another value there. */
static __global__ void if_first_differs_kernel(matmul_problem p)
{
    int64_t element = own_element(), first = element / 32 * 32;
    bool differs = false;
    if (element < p.m * p.n && element == first) {
        float sum = sum_of(p, element);
        differs = p.c[element] != sum;
        p.c[element] = sum;
    }
    if (__any_sync(0xFFFFFFFF, differs) && element < p.m * p.n && element != first)
        p.c[element] = sum_of(p, element);
}

CUDA_MATMUL(if_first_differs)
{
    LAUNCH_PER_ELEMENT(if_first_differs_kernel, p, stream);
}
