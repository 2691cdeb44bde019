/* FP32 products on tensor cores, which multiply TF32. Each factor is split in two, x = high + low, and three of the
 * four products are added up: high high + high low + low high. The product left out is below 2^-22 of the whole, and a
 * low part loses the bits beyond TF32's 11, less than 2^-23 of its factor. This holds for |x| from 2^-114 to 2^128 -
 * 2^116. Below, low parts lose more; above, and for infinity, x becomes NaN. Sums are FP32, but tensor cores truncate
 * where FFMA rounds. So chains of them are kept short, and their results are added up by ordinary additions.
 *
 * Source: H. Ootomo and R. Yokota, "Recovering single precision accuracy from Tensor Cores while surpassing the FP32
 * theoretical peak performance", 2022; PTX ISA, "mma.m16n8k8". */
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

struct tf32_pair {
    uint32_t high, low; /* as bits of floats; the last 13 are 0 in high, and ignored by tensor cores in low */
};

/* high is x rounded to 11 bits, low is the rest, without an error. */
static __device__ __forceinline__ tf32_pair tf32_split(float x)
{
    uint32_t high = (__float_as_uint(x) + 0x1000u) & 0xFFFFE000u;
    return {high, __float_as_uint(x - __uint_as_float(high))};
}

/* d += a b: a warp multiplies a 16 x 8 by an 8 x 8 matrix, from compute capability 8.0 on. With r = lane / 4 and
 * c = lane % 4, a lane holds the elements
 * - a: (r, c), (r + 8, c), (r, c + 4), (r + 8, c + 4)
 * - b: (c, r), (c + 4, r)
 * - d: (r, 2 c), (r, 2 c + 1), (r + 8, 2 c), (r + 8, 2 c + 1) */
static __device__ __forceinline__ void tf32_multiply(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    __trap();
#endif
}
