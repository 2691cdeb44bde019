/* Device functions for the products of Hopper's tensor cores, by four warps together, with both factors in shared
 * memory, or the first in registers. Only a build for compute capability 9.0a has them (HAS_WGMMA); elsewhere they
 * trap.
 *
 *   wgmma_fence()              before the first product that follows other accesses to its registers
 *   wgmma_multiply(sums, a, b, add)
 *                              begins sums = a b, or sums += a b if `add`: 64 x 16 by 16 x N in FP16, or 64 x 8 by
 *                              8 x 256 in TF32, where a thread has N / 2 sums. b is a descriptor; a is one, or four
 *                              registers: those of mma_fp16() (mma.h) for the warp's 16 rows. With w the warp of the
 *                              four, r = lane / 4 and c = lane % 4, sums[4 j + 2 h + e] is in row 16 w + r + 8 h and
 *                              column 8 j + 2 c + e
 *   wgmma_commit()             closes a group of products
 *   wgmma_wait()               waits for all groups. Until then sums must not be read or written, and the registers and
 *                              the shared memory of factors not be written
 *   wgmma_take(registers)      after it: the compiler takes no sum or factor before
 *   wgmma_see_shared()         after a thread's last access to shared memory and before a barrier: bulk copies and
 *                              products that other threads start after the barrier come after these accesses, and see
 *                              what was written
 *
 * Source: PTX ISA, "wgmma.mma_async", "Matrix descriptor". */
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

constexpr int WGMMA_ROWS = 64;       /* of the first factor */
constexpr int WGMMA_ROW_BYTES = 128; /* of a factor's rows along k; an instruction takes 32 of them */

/* Where 16 bytes of a factor lie, counted from its start: those number `piece`, from 0 to 7, of a row along k (of a
 * column of the second factor). They are swizzled, so that pieces of neighbouring rows lie in different banks. */
static __device__ __forceinline__ int wgmma_place(int row, int piece)
{
    return row * WGMMA_ROW_BYTES + ((piece ^ (row & 7)) << 4);
}

/* Of a factor that begins at a multiple of 1,024 bytes. To begin n times 32 bytes further along k, add 2 n; to begin n
 * times 16 bytes further on, where n is a multiple of 64, add n. */
static __device__ __forceinline__ uint64_t wgmma_descriptor(const void *shared)
{
    const uint64_t eight_rows = 8 * WGMMA_ROW_BYTES, swizzled_by_128_bytes = 1;
    uint64_t address = (uint64_t)__cvta_generic_to_shared(shared);
    return (address & 0x3FFFF) >> 4 | (uint64_t)1 << 16 | (eight_rows >> 4) << 32 | swizzled_by_128_bytes << 62;
}

#ifdef __CUDACC__

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define HAS_WGMMA 1
#define ON_WGMMA(...) asm volatile(__VA_ARGS__)
#else
#define HAS_WGMMA 0
#define ON_WGMMA(...) __trap()
#endif

static __device__ __forceinline__ void wgmma_fence()
{
    ON_WGMMA("wgmma.fence.sync.aligned;" ::: "memory");
}

static __device__ __forceinline__ void wgmma_commit()
{
    ON_WGMMA("wgmma.commit_group.sync.aligned;" ::: "memory");
}

static __device__ __forceinline__ void wgmma_wait()
{
    ON_WGMMA("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

template <int SUMS>
static __device__ __forceinline__ void wgmma_take(float (&sums)[SUMS])
{
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        asm volatile("" : "+f"(sums[i])::"memory");
}

static __device__ __forceinline__ void wgmma_take(uint32_t (&factor)[4])
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        asm volatile("" : "+r"(factor[i])::"memory");
}

static __device__ __forceinline__ void wgmma_see_shared()
{
    ON_WGMMA("fence.proxy.async.shared::cta;" ::: "memory");
}

#define TEN_REGISTERS(n) \
    "%" #n "0, %" #n "1, %" #n "2, %" #n "3, %" #n "4, %" #n "5, %" #n "6, %" #n "7, %" #n "8, %" #n "9, "
#define THIRTY_REGISTERS "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, " TEN_REGISTERS(1) TEN_REGISTERS(2)
#define SIXTY_REGISTERS THIRTY_REGISTERS TEN_REGISTERS(3) TEN_REGISTERS(4) TEN_REGISTERS(5)
#define REGISTERS_16 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}"
#define REGISTERS_32 "{" THIRTY_REGISTERS "%30, %31}"
#define REGISTERS_64 "{" SIXTY_REGISTERS "%60, %61, %62, %63}"
#define REGISTERS_128                                                                                         \
    "{" SIXTY_REGISTERS TEN_REGISTERS(6) TEN_REGISTERS(7) TEN_REGISTERS(8) TEN_REGISTERS(9) TEN_REGISTERS(10) \
        TEN_REGISTERS(11) "%120, %121, %122, %123, %124, %125, %126, %127}"
#define FOUR_SUMS(i) "+f"(sums[i]), "+f"(sums[(i) + 1]), "+f"(sums[(i) + 2]), "+f"(sums[(i) + 3])
#define SIXTEEN_SUMS(i) FOUR_SUMS(i), FOUR_SUMS((i) + 4), FOUR_SUMS((i) + 8), FOUR_SUMS((i) + 12)
#define SUMS_32 SIXTEEN_SUMS(0), SIXTEEN_SUMS(16)
#define SUMS_64 SUMS_32, SIXTEEN_SUMS(32), SIXTEEN_SUMS(48)
#define SUMS_128 SUMS_64, SIXTEEN_SUMS(64), SIXTEEN_SUMS(80), SIXTEEN_SUMS(96), SIXTEEN_SUMS(112)

static __device__ __forceinline__ void wgmma_multiply(float (&sums)[64], uint64_t a, uint64_t b, bool add)
{
    ON_WGMMA("{\n\t.reg .pred add;\n\tsetp.ne.b32 add, %66, 0;\n\t"
             "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " REGISTERS_64 ", %64, %65, add, 1, 1, 0, 0;\n\t}"
             : SUMS_64
             : "l"(a), "l"(b), "r"((int)add));
}

template <bool FP16>
static __device__ __forceinline__ void wgmma_multiply(float (&sums)[128], uint64_t a, uint64_t b, bool add)
{
    if (FP16)
        ON_WGMMA("{\n\t.reg .pred add;\n\tsetp.ne.b32 add, %130, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 " REGISTERS_128
                 ", %128, %129, add, 1, 1, 0, 0;\n\t}"
                 : SUMS_128
                 : "l"(a), "l"(b), "r"((int)add));
    else
        ON_WGMMA("{\n\t.reg .pred add;\n\tsetp.ne.b32 add, %130, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 " REGISTERS_128 ", %128, %129, add, 1, 1;\n\t}"
                 : SUMS_128
                 : "l"(a), "l"(b), "r"((int)add));
}

static __device__ __forceinline__ void wgmma_multiply(float (&sums)[16], const uint32_t (&a)[4], uint64_t b, bool add)
{
    ON_WGMMA("{\n\t.reg .pred add;\n\tsetp.ne.b32 add, %21, 0;\n\t"
             "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 " REGISTERS_16
             ", {%16, %17, %18, %19}, %20, add, 1, 1, 0;\n\t}"
             : SIXTEEN_SUMS(0)
             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"((int)add));
}

static __device__ __forceinline__ void wgmma_multiply(float (&sums)[32], const uint32_t (&a)[4], uint64_t b, bool add)
{
    ON_WGMMA("{\n\t.reg .pred add;\n\tsetp.ne.b32 add, %37, 0;\n\t"
             "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " REGISTERS_32
             ", {%32, %33, %34, %35}, %36, add, 1, 1, 0;\n\t}"
             : SUMS_32
             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"((int)add));
}

static __device__ __forceinline__ void wgmma_multiply(float (&sums)[64], const uint32_t (&a)[4], uint64_t b, bool add)
{
    ON_WGMMA("{\n\t.reg .pred add;\n\tsetp.ne.b32 add, %69, 0;\n\t"
             "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " REGISTERS_64
             ", {%64, %65, %66, %67}, %68, add, 1, 1, 0;\n\t}"
             : SUMS_64
             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"((int)add));
}

#undef TEN_REGISTERS
#undef THIRTY_REGISTERS
#undef SIXTY_REGISTERS
#undef REGISTERS_16
#undef REGISTERS_32
#undef REGISTERS_64
#undef REGISTERS_128
#undef FOUR_SUMS
#undef SIXTEEN_SUMS
#undef SUMS_32
#undef SUMS_64
#undef SUMS_128
#undef ON_WGMMA

#else
#include <simt_wgmma.h>
#endif

/* Stores a lane's sums to c, whose first sum is in `row` and `column`; those outside c, which is m x n, are not. n is
 * even, and c is aligned to 8 bytes. */
template <int SUMS>
static __device__ __forceinline__ void wgmma_store(const float (&sums)[SUMS], int64_t m, int64_t n, int64_t row,
                                                   int64_t column, float *c)
{
#pragma unroll
    for (int j = 0; j < SUMS / 4; j++)
#pragma unroll
        for (int h = 0; h < 2; h++)
            if (row + 8 * h < m && column + 8 * j < n)
                __stcs((float2 *)(c + (row + 8 * h) * n + column + 8 * j),
                       make_float2(sums[4 * j + 2 * h], sums[4 * j + 2 * h + 1]));
}
