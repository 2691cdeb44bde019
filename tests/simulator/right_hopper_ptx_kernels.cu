/* Inline PTX of what GPUs have from compute capability 9.0 on. */
#include "ptx.h"
#include "right_kernels.h"

#include "kernels/launch.h"

#include <cuda_fp16.h>

#define LAUNCHER(name) const char *right_##name(const uint32_t *in, uint32_t *out, void *opaque)

/* A block takes its numbers by a bulk copy, hands them to the other block of its cluster, and stores what it got. */
static __global__ void IN_PAIRS ptx_clusters(const uint32_t *in, uint32_t *out)
{
#if HAS_HOPPER
    __shared__ __align__(128) uint32_t mine[64], others[64];
    __shared__ uint64_t arrived;
    const uint32_t t = threadIdx.x, first = blockIdx.x * 64, bar = shared_of(&arrived);
    uint32_t rank, there, sum = 0;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(2) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "n"(256) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         shared_of(mine)),
                     "l"(in + first), "r"(256), "r"(bar)
                     : "memory");
        asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(bar) : "memory");
    }
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
    asm volatile("{ .reg .pred ended;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
                 "@ended bra done;\n"
                 "bra again;\n"
                 "done: }" ::"r"(bar),
                 "r"(0)
                 : "memory");
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_of(&others[63 - t])), "r"(rank ^ 1));
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(mine[t] + rank) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    for (uint32_t i = 0; i <= t; i++)
        sum += others[i];
    out[256 + first + t] = sum;
    if (t == 0) {
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + first),
                     "r"(shared_of(others)), "r"(256)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
#endif
}

/* 64 x 16 by 16 x 8, once with the first factor in shared memory and once in registers. Rows of 32 bytes along k, of
 * which pieces of 16 bytes are in columns of 8 rows. */
static __global__ void ptx_warpgroups(const uint32_t *in, uint32_t *out)
{
#if HAS_HOPPER
    __shared__ __align__(128) __half a[2][64][8], b[2][8][8];
    const uint32_t t = threadIdx.x, warp = t / 32, r = t % 32 / 4, c = t % 4;
    float sums[4], sums_too[4] = {0, 0, 0, 0};
    uint32_t factors[4];
    for (uint32_t i = t; i < 1024; i += 128)
        a[i / 512][i / 8 % 64][i % 8] = __float2half((float)(in[i % 64] >> i % 5 & 15));
    b[t / 64][t / 8 % 8][t % 8] = __float2half((float)(in[t % 64] & 31) - 16);
    see_shared();
    __syncthreads();
    for (uint32_t i = 0; i < 4; i++)
        factors[i] = *(const uint32_t *)&a[i / 2][warp * 16 + r + i % 2 * 8][2 * c];
    const uint64_t strides = (uint64_t)(128 >> 4) << 32, of_a = (uint64_t)(shared_of(a) & 0x3FFFF) >> 4 | strides,
                   of_b = (uint64_t)(shared_of(b) & 0x3FFFF) >> 4 | strides;
    const uint64_t descriptor_a = of_a | (uint64_t)(1024 >> 4) << 16, descriptor_b = of_b | (uint64_t)(128 >> 4) << 16;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{ .reg .pred add; setp.ne.b32 add, %6, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, add, 1, 1, 0, 0; }"
                 : "=f"(sums[0]), "=f"(sums[1]), "=f"(sums[2]), "=f"(sums[3])
                 : "l"(descriptor_a), "l"(descriptor_b), "r"(0));
    asm volatile(
        "{ .reg .pred add; setp.ne.b32 add, %9, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, add, 1, 1, 0; }"
        : "+f"(sums_too[0]), "+f"(sums_too[1]), "+f"(sums_too[2]), "+f"(sums_too[3])
        : "r"(factors[0]), "r"(factors[1]), "r"(factors[2]), "r"(factors[3]), "l"(descriptor_b), "r"(1));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (uint32_t i = 0; i < 4; i++) {
        asm volatile("" : "+f"(sums[i]), "+f"(sums_too[i])::"memory");
        out[8 * t + i] = (uint32_t)(int)sums[i];
        out[8 * t + 4 + i] = (uint32_t)(int)sums_too[i];
    }
#endif
}

RIGHT(ptx_clusters, 4, 64, 0)
RIGHT(ptx_warpgroups, 1, 128, 0)

#if HAS_HOPPER
static __device__ uint64_t descriptor(const void *factor, uint32_t leading, uint32_t stride, uint32_t mode)
{
    return (uint64_t)(shared_of(factor) & 0x3FFFF) >> 4 | (uint64_t)(leading >> 4) << 16 |
           (uint64_t)(stride >> 4) << 32 | (uint64_t)mode << 62;
}
#endif

/* One product of 64 x 16 by 16 x 128 with both factors across: what belongs to one k lies side by side, by spans of as
 * many bytes as the swizzle has; eight such spans, of eight k, are one block. */
template <uint32_t MODE>
static __global__ void multiply_across(const uint32_t *in, uint32_t *out)
{
#if HAS_HOPPER
    constexpr uint32_t SPAN = MODE == 0 ? 16 : 256 >> MODE, BLOCK = 8 * SPAN, A_BLOCKS = 128 / SPAN,
                       B_BLOCKS = 256 / SPAN;
    __shared__ __align__(1024) unsigned char a[2 * A_BLOCKS * BLOCK], b[2 * B_BLOCKS * BLOCK];
    const uint32_t t = threadIdx.x;
    float sums[64];
    for (uint32_t i = t; i < 16 * 64 + 16 * 128; i += 128) {
        const bool is_a = i < 16 * 64;
        const uint32_t k = is_a ? i / 64 : (i - 16 * 64) / 128, at = is_a ? i % 64 : i % 128, byte = at * 2 % SPAN;
        const uint32_t block = k / 8 * (is_a ? A_BLOCKS : B_BLOCKS) + at * 2 / SPAN, line = k % 8;
        const uint32_t place = block * BLOCK + line * SPAN + byte,
                       swizzled = place ^ ((place >> 7 & (SPAN / 16 - 1)) << 4);
        *(__half *)((is_a ? a : b) + swizzled) = __float2half((float)(in[i] >> 9 & 15) - 7);
    }
    see_shared();
    __syncthreads();
    /* without a swizzle the two distances change their meanings */
    const uint64_t of_a =
        MODE == 0 ? descriptor(a, A_BLOCKS * BLOCK, BLOCK, 0) : descriptor(a, BLOCK, A_BLOCKS * BLOCK, MODE);
    const uint64_t of_b =
        MODE == 0 ? descriptor(b, B_BLOCKS * BLOCK, BLOCK, 0) : descriptor(b, BLOCK, B_BLOCKS * BLOCK, MODE);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{ .reg .pred add; setp.ne.b32 add, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, "
                 "%10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
                 "%30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
                 "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, add, 1, 1, 1, 1; }"
                 : "=f"(sums[0]), "=f"(sums[1]), "=f"(sums[2]), "=f"(sums[3]), "=f"(sums[4]), "=f"(sums[5]),
                   "=f"(sums[6]), "=f"(sums[7]), "=f"(sums[8]), "=f"(sums[9]), "=f"(sums[10]), "=f"(sums[11]),
                   "=f"(sums[12]), "=f"(sums[13]), "=f"(sums[14]), "=f"(sums[15]), "=f"(sums[16]), "=f"(sums[17]),
                   "=f"(sums[18]), "=f"(sums[19]), "=f"(sums[20]), "=f"(sums[21]), "=f"(sums[22]), "=f"(sums[23]),
                   "=f"(sums[24]), "=f"(sums[25]), "=f"(sums[26]), "=f"(sums[27]), "=f"(sums[28]), "=f"(sums[29]),
                   "=f"(sums[30]), "=f"(sums[31]), "=f"(sums[32]), "=f"(sums[33]), "=f"(sums[34]), "=f"(sums[35]),
                   "=f"(sums[36]), "=f"(sums[37]), "=f"(sums[38]), "=f"(sums[39]), "=f"(sums[40]), "=f"(sums[41]),
                   "=f"(sums[42]), "=f"(sums[43]), "=f"(sums[44]), "=f"(sums[45]), "=f"(sums[46]), "=f"(sums[47]),
                   "=f"(sums[48]), "=f"(sums[49]), "=f"(sums[50]), "=f"(sums[51]), "=f"(sums[52]), "=f"(sums[53]),
                   "=f"(sums[54]), "=f"(sums[55]), "=f"(sums[56]), "=f"(sums[57]), "=f"(sums[58]), "=f"(sums[59]),
                   "=f"(sums[60]), "=f"(sums[61]), "=f"(sums[62]), "=f"(sums[63])
                 : "l"(of_a), "l"(of_b), "r"(0)
                 : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    uint32_t all = 0;
    for (int i = 0; i < 64; i++) {
        asm volatile("" : "+f"(sums[i])::"memory");
        all = all * 31 + (uint32_t)(int)sums[i];
    }
    out[t] = all;
#endif
}

LAUNCHER(ptx_across)
{
    LAUNCH(multiply_across<0>, 1, 128, 0, (cudaStream_t)opaque, in, out);
    LAUNCH(multiply_across<1>, 1, 128, 0, (cudaStream_t)opaque, in, out + 128);
    LAUNCH(multiply_across<2>, 1, 128, 0, (cudaStream_t)opaque, in, out + 256);
    LAUNCH(multiply_across<3>, 1, 128, 0, (cudaStream_t)opaque, in, out + 384);
    return launch_error(__func__);
}

/* The first factor in registers, along k; the second one across, without a swizzle. */
static __global__ void ptx_half_across(const uint32_t *in, uint32_t *out)
{
#if HAS_HOPPER
    __shared__ __align__(128) __half b[2][8][8];
    const uint32_t t = threadIdx.x;
    float sums[4];
    uint32_t a[4];
    b[t / 64][t / 8 % 8][t % 8] = __float2half((float)(in[t] & 31) - 16);
    for (uint32_t i = 0; i < 4; i++) {
        const __half2 pair = __floats2half2_rn((float)(in[4 * t + i] & 15), (float)(in[4 * t + i] >> 4 & 15));
        a[i] = *(const uint32_t *)&pair;
    }
    see_shared();
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "{ .reg .pred add; setp.ne.b32 add, %9, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, add, 1, 1, 1; }"
        : "=f"(sums[0]), "=f"(sums[1]), "=f"(sums[2]), "=f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor(b, 128, 128, 0)), "r"(0)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (uint32_t i = 0; i < 4; i++) {
        asm volatile("" : "+f"(sums[i])::"memory");
        out[4 * t + i] = (uint32_t)(int)sums[i];
    }
#endif
}
RIGHT(ptx_half_across, 1, 128, 0)

/* FP8: 64 x 32 by 32 x 8, each row in two pieces of 16 bytes. First all bytes are multiplied by 1, then whole numbers,
 * whose sums need few bits. */
#if HAS_HOPPER
template <bool E4M3>
static __device__ void multiply_bytes(const unsigned char *a, const unsigned char *b, uint32_t *out)
{
    float sums[4];
    const uint64_t of_a = descriptor(a, 1024, 128, 0), of_b = descriptor(b, 128, 128, 0);
    see_shared();
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#define MULTIPLY(format)                                                        \
    asm volatile("{ .reg .pred add; setp.ne.b32 add, %6, 0;\n"                  \
                 "wgmma.mma_async.sync.aligned.m64n8k32.f32." format "." format \
                 " {%0, %1, %2, %3}, %4, %5, add, 1, 1; }"                      \
                 : "=f"(sums[0]), "=f"(sums[1]), "=f"(sums[2]), "=f"(sums[3])   \
                 : "l"(of_a), "l"(of_b), "r"(0)                                 \
                 : "memory")
    if (E4M3)
        MULTIPLY("e4m3");
    else
        MULTIPLY("e5m2");
#undef MULTIPLY
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (uint32_t i = 0; i < 4; i++) {
        asm volatile("" : "+f"(sums[i])::"memory");
        out[i] = sums[i] == sums[i] ? __float_as_uint(sums[i]) : 0xFFFFFFFF; /* there are many NaN */
    }
    __syncthreads();
}
#endif

template <bool E4M3>
static __global__ void multiply_eights(const uint32_t *in, uint32_t *out)
{
#if HAS_HOPPER
    const unsigned char whole[2][8] = {{0x00, 0x3C, 0x40, 0x42, 0x44, 0x45, 0x46, 0x47},
                                       {0x00, 0x38, 0x40, 0x44, 0x48, 0x4A, 0x4C, 0x4E}};
    __shared__ __align__(128) unsigned char a[2][64][16], b[2][8][16];
    const uint32_t t = threadIdx.x;
    for (uint32_t i = t; i < 2048; i += 128)
        a[i / 1024][i / 16 % 64][i % 16] = (unsigned char)(i < 1024 && i % 16 < 8 ? i / 16 * 8 + i % 16 : 0);
    for (uint32_t i = t; i < 256; i += 128)
        b[i / 128][i / 16 % 8][i % 16] = i / 16 == i % 16 ? whole[E4M3][1] : 0;
    multiply_bytes<E4M3>(&a[0][0][0], &b[0][0][0], out + 8 * t);
    for (uint32_t i = t; i < 2048; i += 128)
        a[i / 1024][i / 16 % 64][i % 16] = (unsigned char)(whole[E4M3][in[i] & 7] | (in[i] >> 8 & 0x80));
    for (uint32_t i = t; i < 256; i += 128)
        b[i / 128][i / 16 % 8][i % 16] = whole[E4M3][in[i] >> 4 & 7];
    multiply_bytes<E4M3>(&a[0][0][0], &b[0][0][0], out + 8 * t + 4);
#endif
}

LAUNCHER(ptx_eights)
{
    LAUNCH(multiply_eights<false>, 1, 128, 0, (cudaStream_t)opaque, in, out);
    LAUNCH(multiply_eights<true>, 1, 128, 0, (cudaStream_t)opaque, in, out + 1024);
    return launch_error(__func__);
}
