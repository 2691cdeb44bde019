/* The few words of device code that the GPU and the simulator (docs/simulator.md) spell differently. All other code of
 * a rung is plain CUDA, as far as cpu/simulator/cuda/ knows it.
 *
 *   LAUNCH(kernel, grid, block, shared_bytes, stream, ...)   kernel<<<grid, block, shared_bytes, stream>>>(...)
 *                                                            A kernel with a comma needs parentheses: (kernel<1, 2>)
 *   DYNAMIC_SHARED(float, tile);                             extern __shared__ float tile[]; aligned to 16 bytes
 *   copy_async(&As[0][0], &a[0]);                            starts a copy of 4, 8 or 16 bytes to shared memory
 *                                                            (cp.async, from sm_80 on)
 *   copy_async_or_zero(&As[0][0], &a[0], valid);             the same; if not valid, writes zeros and leaves a[0] alone
 *   copy_async_if(&As[0][0], &a[0], there);                  the same; if not there, does nothing
 *   copy_async_commit();                                     closes a group of copies
 *   copy_async_wait(n);                                      waits until at most n groups of this thread are not done;
 *                                                            n is a constant from 0 to 8
 *
 * Other threads see the copied data after the wait and a __syncthreads() that follows.
 *
 *   LAUNCH_EARLY(kernel, ...)                                as LAUNCH, but the blocks may begin before the kernel that
 *                                                            stands before this one in the stream has ended, once all
 *                                                            of its blocks have called allow_early_launch() or ended
 *                                                            (programmatic dependent launch, from sm_90 on)
 *   allow_early_launch();
 *   wait_for_last_launch();                                  waits for the end of the kernel before, whose stores are
 *                                                            visible then: each thread of an early launch calls it
 *                                                            before it loads what that kernel stores, or stores
 *                                                            anything. If that kernel is early itself, it has waited
 *                                                            before it allows this one */
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#define DYNAMIC_SHARED(T, name)                                            \
    extern __shared__ __align__(16) unsigned char dynamic_shared_memory[]; \
    T *name = reinterpret_cast<T *>(dynamic_shared_memory)

#ifdef __CUDACC__

#include <cuda_pipeline_primitives.h>

/* The most blocks that a grid may have along x, and along y or z. */
constexpr int64_t GRID_X_MAX = 2147483647;
constexpr int64_t GRID_YZ_MAX = 65535;

#define LAUNCH(kernel, grid, block, shared_bytes, stream, ...) \
    kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__)

template <typename T>
static __device__ void copy_async(T *shared, const T *global)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16, "copies are of 4, 8 or 16 bytes");
    __pipeline_memcpy_async(shared, global, sizeof(T));
}

template <typename T>
static __device__ void copy_async_or_zero(T *shared, const T *global, bool valid)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16, "copies are of 4, 8 or 16 bytes");
    __pipeline_memcpy_async(shared, global, sizeof(T), valid ? 0 : sizeof(T));
}

/* One guarded instruction, where nvcc makes a branch of an if. */
template <typename T>
static __device__ __forceinline__ void copy_async_if(T *shared, const T *global, bool there)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 16, "copies are of 4 or 16 bytes");
#if __CUDA_ARCH__ >= 800
    const uint32_t to = (uint32_t)__cvta_generic_to_shared(shared);
    if (sizeof(T) == 4)
        asm volatile("{\n\t.reg .pred there;\n\tsetp.ne.b32 there, %2, 0;\n\t"
                     "@there cp.async.ca.shared.global [%0], [%1], 4;\n\t}" ::"r"(to),
                     "l"(global), "r"((int)there)
                     : "memory");
    else
        asm volatile("{\n\t.reg .pred there;\n\tsetp.ne.b32 there, %2, 0;\n\t"
                     "@there cp.async.cg.shared.global [%0], [%1], 16;\n\t}" ::"r"(to),
                     "l"(global), "r"((int)there)
                     : "memory");
#else
    if (there)
        copy_async(shared, global);
#endif
}

static __device__ __forceinline__ void copy_async_commit()
{
    __pipeline_commit();
}

static __device__ __forceinline__ void copy_async_wait(unsigned groups_left)
{
    __pipeline_wait_prior(groups_left);
}

#define LAUNCH_EARLY(kernel, grid, block, shared_bytes, stream, ...) \
    launch_early(kernel, grid, block, shared_bytes, stream, __VA_ARGS__)

/* A kernel compiled for older GPUs does not wait, wherever it runs. */
template <typename... P, typename... A>
static void launch_early(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream,
                         A... arguments)
{
    cudaFuncAttributes compiled = {};
    (void)cudaFuncGetAttributes(&compiled, kernel);
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = compiled.ptxVersion >= 90 ? 1 : 0;
    (void)cudaLaunchKernelEx(&config, kernel, static_cast<P>(arguments)...);
}

static __device__ __forceinline__ void allow_early_launch()
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

static __device__ __forceinline__ void wait_for_last_launch()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

#endif
