/* Products that are wrong for some input only, or by a little. */
#include "tests/cheats/kernels/kernel.h"

#include <string.h>

static __global__ void spoil_kernel(float *element)
{
    *element *= 1.125f;
}

#define WRONG_IF(name, condition)                                          \
    CUDA_MATMUL(name)                                                      \
    {                                                                      \
        multiply(p, stream);                                               \
        if (condition)                                                     \
            LAUNCH(spoil_kernel, 1, 1, 0, stream, p->c + p->m * p->n - 1); \
    }

WRONG_IF(wrong_at_8_of_16, (uintptr_t)p->a % 16 == 8)
WRONG_IF(wrong_above_1000_rows, p->m > 1000)
WRONG_IF(wrong_above_784_deep, p->k > 784)
WRONG_IF(wrong_at_k_4_n_10, p->k % 4 == 0 && p->n == 10)
WRONG_IF(one_of_many_wrong, p->m * p->n > 60000)

static __global__ void wrong_for_zeros_kernel(matmul_problem p)
{
    int64_t element = own_element();
    if (element >= p.m * p.n)
        return;
    float sum = sum_of(p, element);
    p.c[element] = p.k > 1 && p.a[element / p.n * p.k] == 0 ? 0 : sum;
}

CUDA_MATMUL(wrong_for_zeros)
{
    LAUNCH_PER_ELEMENT(wrong_for_zeros_kernel, p, stream);
}

/* 11 bits of a factor, as tensor cores take them by default. */
static __device__ float to_tf32(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    word = (word + 0x1000U) & ~0x1FFFU;
    memcpy(&x, &word, sizeof x);
    return x;
}

static __global__ void tf32_factors_kernel(matmul_problem p)
{
    int64_t element = own_element();
    if (element >= p.m * p.n)
        return;
    const float *a = p.a + element / p.n * p.k, *b = p.b + element % p.n;
    float sum = 0;
    for (int64_t i = 0; i < p.k; i++)
        sum = fmaf(to_tf32(a[i]), to_tf32(b[i * p.n]), sum);
    p.c[element] = sum;
}

CUDA_MATMUL(tf32_factors)
{
    LAUNCH_PER_ELEMENT(tf32_factors_kernel, p, stream);
}
