/* Device functions for the products of Hopper's tensor cores, by four warps together, with both factors in shared
 * memory. Only a build for compute capability 9.0a has them (HAS_WGMMA); elsewhere they trap.
 *
 * Source: PTX ISA, "wgmma.mma_async", "Matrix descriptor". */
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define HAS_WGMMA 1
#define ON_WGMMA(...) asm volatile(__VA_ARGS__)
#else
#define HAS_WGMMA 0
#define ON_WGMMA(...) __trap()
#endif

constexpr int WGMMA_ROWS = 64, WGMMA_COLUMNS = 256;
constexpr int WGMMA_SUMS = 128;      /* of the product that a thread holds */
constexpr int WGMMA_ROW_BYTES = 128; /* of a factor's rows along k, swizzled; an instruction takes 32 of them */

/* Of a factor that begins at a multiple of 1,024 bytes. To begin n times 32 bytes further along k, add 2 n. */
static __device__ __forceinline__ uint64_t wgmma_descriptor(const void *shared)
{
    const uint64_t eight_rows = 8 * WGMMA_ROW_BYTES, swizzled_by_128_bytes = 1;
    uint64_t address = (uint64_t)__cvta_generic_to_shared(shared);
    return (address & 0x3FFFF) >> 4 | (uint64_t)1 << 16 | (eight_rows >> 4) << 32 | swizzled_by_128_bytes << 62;
}

static __device__ __forceinline__ void wgmma_fence()
{
    ON_WGMMA("wgmma.fence.sync.aligned;" ::: "memory");
}

static __device__ __forceinline__ void wgmma_finish()
{
    ON_WGMMA("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
}

/* What other threads wrote to shared memory before a barrier is seen by the units that read factors. */
static __device__ __forceinline__ void wgmma_see_shared()
{
    ON_WGMMA("fence.proxy.async.shared::cta;" ::: "memory");
}

#define TEN_REGISTERS(n) \
    "%" #n "0, %" #n "1, %" #n "2, %" #n "3, %" #n "4, %" #n "5, %" #n "6, %" #n "7, %" #n "8, %" #n "9, "
#define REGISTERS                                                                                                   \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, " TEN_REGISTERS(1) TEN_REGISTERS(2) TEN_REGISTERS(3) TEN_REGISTERS(4) \
        TEN_REGISTERS(5) TEN_REGISTERS(6) TEN_REGISTERS(7) TEN_REGISTERS(8) TEN_REGISTERS(9) TEN_REGISTERS(10)      \
            TEN_REGISTERS(11) "%120, %121, %122, %123, %124, %125, %126, %127}"
#define FOUR_SUMS(i) "+f"(sums[i]), "+f"(sums[(i) + 1]), "+f"(sums[(i) + 2]), "+f"(sums[(i) + 3])
#define SIXTEEN_SUMS(i) FOUR_SUMS(i), FOUR_SUMS((i) + 4), FOUR_SUMS((i) + 8), FOUR_SUMS((i) + 12)
#define ALL_SUMS                                                                                               \
    SIXTEEN_SUMS(0), SIXTEEN_SUMS(16), SIXTEEN_SUMS(32), SIXTEEN_SUMS(48), SIXTEEN_SUMS(64), SIXTEEN_SUMS(80), \
        SIXTEEN_SUMS(96), SIXTEEN_SUMS(112)

/* sums += a b: 64 x 8 by 8 x 256 in TF32, or 64 x 16 by 16 x 256 in FP16. */
template <bool FP16>
static __device__ __forceinline__ void wgmma_multiply(float (&sums)[WGMMA_SUMS], uint64_t a, uint64_t b)
{
    if (FP16)
        ON_WGMMA("wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 " REGISTERS ", %128, %129, 1, 1, 1, 0, 0;"
                 : ALL_SUMS
                 : "l"(a), "l"(b));
    else
        ON_WGMMA("wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 " REGISTERS ", %128, %129, 1, 1, 1;"
                 : ALL_SUMS
                 : "l"(a), "l"(b));
}

#undef TEN_REGISTERS
#undef REGISTERS
#undef FOUR_SUMS
#undef SIXTEEN_SUMS
#undef ALL_SUMS
#undef ON_WGMMA
