/* FP32 products by tensor cores that multiply TF32: each factor is split in two, x = high + low, and three of the four
 * products are summed up: high high + high low + low high. The one left out is below 2^-22 of the product; a low part
 * loses what is beyond TF32's 11 bits, less than 2^-23 of its factor. That holds for |x| from 2^-114 to 2^128 - 2^116:
 * below, low parts lose more, and above, as infinity does, x becomes NaN. Sums are FP32, but tensor cores cut off,
 * where FFMA rounds: so chains are kept short, and added up by ordinary additions.
 *
 * Source: H. Ootomo and R. Yokota, "Recovering single precision accuracy from Tensor Cores while surpassing the FP32
 * theoretical peak performance", 2022; PTX ISA, "mma.m16n8k8". */
#ifndef RUNGBENCH_TF32_H
#define RUNGBENCH_TF32_H

#include <cuda_runtime.h>
#include <stdint.h>

struct tf32_pair {
    uint32_t high, low; /* floats' bits; high has its last 13 bits clear, of low the tensor cores ignore them */
};

/* x, rounded to the nearest number of 11 bits, and the rest, which is exact. */
static __device__ __forceinline__ tf32_pair tf32_split(float x)
{
    uint32_t high = (__float_as_uint(x) + 0x1000u) & 0xFFFFE000u;
    return {high, __float_as_uint(x - __uint_as_float(high))};
}

/* d += a b: a warp multiplies a 16 x 8 by an 8 x 8 matrix. From compute capability 8.0 on. A lane has, with r = lane /
 * 4 and c = lane % 4:
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

#endif
