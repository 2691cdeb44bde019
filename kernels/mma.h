/* Tensor cores: the instructions by which a warp multiplies small matrices, from compute capability 8.0 on, and the
 * formats of their factors. All 32 lanes of the warp call mma_tf32() or mma_fp16() together. A lane holds a few
 * elements of each matrix; with r = lane / 4 and c = lane % 4 these are
 *
 *                          mma_tf32: 16 x 8 by 8 x 8       mma_fp16: 16 x 16 by 16 x 8, two elements per register
 *   a[0] a[1] a[2] a[3]    (r, c)      (r + 8, c)          (r, 2c) (r, 2c + 1)          (r + 8, 2c) (r + 8, 2c + 1)
 *                          (r, c + 4)  (r + 8, c + 4)      (r, 2c + 8) (r, 2c + 9)      (r + 8, 2c + 8) (r + 8, 2c + 9)
 *   b0   b1                (c, r)      (c + 4, r)          (2c, r) (2c + 1, r)          (2c + 8, r) (2c + 9, r)
 *   d[0] d[1] d[2] d[3]    (r, 2c)  (r, 2c + 1)  (r + 8, 2c)  (r + 8, 2c + 1): FP32, both
 *
 *   mma_tf32(d, a, b0, b1);    d += a b. The factors are the bits of floats, whose last 13 bits do not count
 *   mma_fp16(d, a, b0, b1);    d += a b. The first of two elements is in the lower half of the register
 *   tf32_round(x)              x rounded to TF32, 11 significant bits, to nearest, ties away from 0, as bits of a float
 *   fp16_pair(x0, x1)          x0 and x1 rounded to FP16, to nearest, ties to even; x0 in the lower half
 *   warp_max(x), warp_min(x)   of all lanes' unsigned numbers; all 32 lanes call together
 *
 * Products are exact. Sums are not rounded but truncated: cpu/simulator/sim_mma.h.
 *
 * Source: PTX ISA, "mma", "Matrix Fragments for mma.m16n8k8", "Matrix Fragments for mma.m16n8k16 with floating point
 * type", "cvt", "redux.sync". */
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __CUDACC__

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define ON_TENSOR_CORES(...) asm volatile(__VA_ARGS__)
#else
#define ON_TENSOR_CORES(...) __trap() /* rungs that come here are skipped on such GPUs: enum rung_traits */
#endif

static __device__ __forceinline__ void mma_tf32(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
    ON_TENSOR_CORES("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                    "{%0, %1, %2, %3};"
                    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

static __device__ __forceinline__ void mma_fp16(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
    ON_TENSOR_CORES("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                    "{%0, %1, %2, %3};"
                    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

static __device__ __forceinline__ uint32_t tf32_round(float x)
{
    uint32_t bits = 0;
    ON_TENSOR_CORES("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}

static __device__ __forceinline__ uint32_t fp16_pair(float x0, float x1)
{
    uint32_t pair = 0;
    ON_TENSOR_CORES("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(x1), "f"(x0));
    return pair;
}

static __device__ __forceinline__ uint32_t warp_max(uint32_t x)
{
    uint32_t most = 0;
    ON_TENSOR_CORES("redux.sync.max.u32 %0, %1, 0xFFFFFFFF;" : "=r"(most) : "r"(x));
    return most;
}

static __device__ __forceinline__ uint32_t warp_min(uint32_t x)
{
    uint32_t least = 0;
    ON_TENSOR_CORES("redux.sync.min.u32 %0, %1, 0xFFFFFFFF;" : "=r"(least) : "r"(x));
    return least;
}

#undef ON_TENSOR_CORES

#endif
