/* What kernels with inline PTX share. */
#pragma once

#include "kernels/launch.h"

#if !defined __CUDA_ARCH__ || defined __CUDA_ARCH_FEAT_SM90_ALL
#define HAS_HOPPER 1
#define IN_PAIRS __cluster_dims__(2, 1, 1)
#else
#define HAS_HOPPER 0
#define IN_PAIRS
#endif

[[maybe_unused]] static __device__ uint32_t shared_of(const void *memory)
{
    return (uint32_t)__cvta_generic_to_shared(memory);
}

#if HAS_HOPPER
[[maybe_unused]] static __device__ void see_shared()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

[[maybe_unused]] static __device__ void make_barrier(const uint64_t *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_of(barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

[[maybe_unused]] static __device__ void expect_bytes(const uint64_t *barrier, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_of(barrier)), "r"(bytes)
                 : "memory");
}

[[maybe_unused]] static __device__ void wait_for_barrier(const uint64_t *barrier, uint32_t parity)
{
    asm volatile("{ .reg .pred ended;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
                 "@!ended bra again; }" ::"r"(shared_of(barrier)),
                 "r"(parity)
                 : "memory");
}
#endif
