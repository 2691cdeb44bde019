/* Device functions for what GPUs have from compute capability 9.0 on: bulk copies by the TMA unit, barriers that count
 * their bytes, and clusters of blocks that reach each other's shared memory. On older GPUs these functions trap: a rung
 * that needs them has the trait RUNG_HOPPER and is skipped there, another asks cluster_most() (shared_k.h) first.
 *
 *   barrier_make(barrier, arrivals)   makes a barrier in 8 bytes of shared memory. It goes through phases, whose parity
 *                                     is 0, 1, 0, ... A phase ends when so many threads have arrived and all announced
 *                                     bytes are there. Copies may use it after barriers_made(), other threads after a
 *                                     __syncthreads() that follows
 *   barrier_arrive(barrier)
 *   barrier_wait(barrier, parity)     waits until the phase of that parity has ended
 *   copy_bulk(shared, global, bytes, barrier)
 *                                     arrives at the barrier, announces `bytes` to it, and starts to copy them from
 *                                     global to shared memory. `bytes` and both addresses are multiples of 16
 *   CLUSTER_OF(blocks)                a kernel's attribute: so many blocks along x are a cluster
 *   cluster_arrive(), cluster_wait()  a barrier for all threads of the cluster, in two halves: writes to shared memory
 *                                     before the first are seen after the second
 *   cluster_store(shared, block, x)   writes 16 bytes to the address of `shared` in the shared memory of the block of
 *                                     rank `block` in the cluster
 *
 * Source: PTX ISA, "cp.async.bulk", "mbarrier", "barrier.cluster", "mapa". */
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __CUDACC__

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define ON_HOPPER(...) asm volatile(__VA_ARGS__)
#define CLUSTER_OF(blocks) __cluster_dims__(blocks, 1, 1)
#else
#define ON_HOPPER(...) __trap()
#define CLUSTER_OF(blocks)
#endif

static __device__ __forceinline__ uint32_t shared_address(const void *memory)
{
    return (uint32_t)__cvta_generic_to_shared(memory);
}

static __device__ __forceinline__ void barrier_make(uint64_t *barrier, uint32_t arrivals)
{
    ON_HOPPER("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

static __device__ __forceinline__ void barriers_made()
{
    ON_HOPPER("fence.mbarrier_init.release.cluster;\n\tfence.proxy.async.shared::cta;" ::: "memory");
}

static __device__ __forceinline__ void barrier_wait(uint64_t *barrier, uint32_t parity)
{
    ON_HOPPER("{\n\t.reg .pred ended;\n"
              "again_%=:\n\t"
              "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n\t"
              "@!ended bra again_%=;\n\t}" ::"r"(shared_address(barrier)),
              "r"(parity)
              : "memory");
}

static __device__ __forceinline__ void barrier_arrive(uint64_t *barrier)
{
    ON_HOPPER("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

static __device__ __forceinline__ void copy_bulk(void *shared, const void *global, uint32_t bytes, uint64_t *barrier)
{
    ON_HOPPER("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%3], %2;\n\t"
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                  shared_address(shared)),
              "l"(global), "r"(bytes), "r"(shared_address(barrier))
              : "memory");
}

static __device__ __forceinline__ void cluster_arrive()
{
    ON_HOPPER("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

static __device__ __forceinline__ void cluster_wait()
{
    ON_HOPPER("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

static __device__ __forceinline__ void cluster_store(float4 *shared, int block, float4 value)
{
    ON_HOPPER("{\n\t.reg .b32 there;\n\t"
              "mapa.shared::cluster.u32 there, %0, %1;\n\t"
              "st.shared::cluster.v4.f32 [there], {%2, %3, %4, %5};\n\t}" ::"r"(shared_address(shared)),
              "r"(block), "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w)
              : "memory");
}

#undef ON_HOPPER

#else
#include <simt_hopper.h>
#endif
