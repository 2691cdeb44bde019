/* Inline PTX of what GPUs have from compute capability 9.0 on. */
#include "right_kernels.h"

#include "kernels/launch.h"

#include <cuda_fp16.h>

#if !defined __CUDA_ARCH__ || defined __CUDA_ARCH_FEAT_SM90_ALL
#define HAS_HOPPER 1
#define IN_PAIRS __cluster_dims__(2, 1, 1)
#else
#define HAS_HOPPER 0
#define IN_PAIRS
#endif

#if HAS_HOPPER
static __device__ uint32_t shared_of(const void *memory)
{
    return (uint32_t)__cvta_generic_to_shared(memory);
}
#endif

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
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
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
