/* What GPUs have from compute capability 9.0 on, as device functions: copies in bulk with barriers that count their
 * bytes, and clusters of blocks that reach each other's shared memory. On older ones these functions trap; a rung that
 * needs them has the trait RUNG_HOPPER, and is skipped there. The simulator has none of them.
 *
 * Source: PTX ISA, "cp.async.bulk", "mbarrier", "barrier.cluster", "mapa". */
#ifndef RUNGBENCH_HOPPER_H
#define RUNGBENCH_HOPPER_H

#include <cuda_runtime.h>
#include <stdint.h>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define ON_HOPPER(...) asm volatile(__VA_ARGS__)
#define CLUSTER_OF(blocks) __cluster_dims__(blocks, 1, 1) /* of a kernel: its grid is clusters of so many along x */
#else
#define ON_HOPPER(...) __trap()
#define CLUSTER_OF(blocks)
#endif

static __device__ __forceinline__ uint32_t shared_address(const void *memory)
{
    return (uint32_t)__cvta_generic_to_shared(memory);
}

/* A barrier goes through phases. One ends when `arrivals` have been counted in it and all bytes announced in it are
 * there; then the next begins, whose parity is the other. The first has parity 0.
 *
 * barrier_make() makes the barrier, 8 bytes of shared memory. After barriers_made() copies may use what the thread has
 * made, and after a __syncthreads() behind it other threads, too. */
static __device__ __forceinline__ void barrier_make(uint64_t *barrier, uint32_t arrivals)
{
    ON_HOPPER("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

static __device__ __forceinline__ void barriers_made()
{
    ON_HOPPER("fence.mbarrier_init.release.cluster;\n\tfence.proxy.async.shared::cta;" ::: "memory");
}

/* Waits for the end of the phase of that parity; does not wait if the barrier is in the next one already. */
static __device__ __forceinline__ void barrier_wait(uint64_t *barrier, uint32_t parity)
{
    ON_HOPPER("{\n\t.reg .pred ended;\n"
              "again_%=:\n\t"
              "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n\t"
              "@!ended bra again_%=;\n\t}" ::"r"(shared_address(barrier)),
              "r"(parity)
              : "memory");
}

/* Begins to copy `bytes`, a multiple of 16, from global to shared memory, both aligned to 16, announces them to the
 * barrier, and arrives there. */
static __device__ __forceinline__ void copy_bulk(void *shared, const void *global, uint32_t bytes, uint64_t *barrier)
{
    ON_HOPPER("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%3], %2;\n\t"
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                  shared_address(shared)),
              "l"(global), "r"(bytes), "r"(shared_address(barrier))
              : "memory");
}

/* A barrier of all threads of all blocks in the cluster, in two halves. What was written to any shared memory before
 * the one is seen after the other. */
static __device__ __forceinline__ void cluster_arrive()
{
    ON_HOPPER("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

static __device__ __forceinline__ void cluster_wait()
{
    ON_HOPPER("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* Writes 16 bytes to where `shared` is in the shared memory of another block of the cluster: that of rank `block`. */
static __device__ __forceinline__ void cluster_store(float4 *shared, int block, float4 value)
{
    ON_HOPPER("{\n\t.reg .b32 there;\n\t"
              "mapa.shared::cluster.u32 there, %0, %1;\n\t"
              "st.shared::cluster.v4.f32 [there], {%2, %3, %4, %5};\n\t}" ::"r"(shared_address(shared)),
              "r"(block), "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w)
              : "memory");
}

#undef ON_HOPPER

#endif
