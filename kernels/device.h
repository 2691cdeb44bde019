/* The few words of device code that the GPU and the simulator (docs/simulator.md) spell differently. Everything else in
 * a rung is plain CUDA, as much of it as cpu/simulator/cuda/ has.
 *
 *   LAUNCH(kernel, grid, block, shared_bytes, stream, ...)   kernel<<<grid, block, shared_bytes, stream>>>(...)
 *                                                            in parentheses if there is a comma in it: (kernel<1, 2>)
 *   SHARED_ARRAY(float, As, BM, BK);                         __shared__ float As[BM][BK]; aligned as a float is:
 *                                                            for 16-byte accesses make it a float4 array
 *   DYNAMIC_SHARED(float, tile);                             extern __shared__ float tile[]; aligned to 16 bytes
 *   copy_async(&As[0][0], &a[0]);                            a copy of 4, 8 or 16 bytes to shared memory that goes on
 *                                                            by itself (cp.async, from sm_80 on)
 *   copy_async_or_zero(&As[0][0], &a[0], valid);             the same, but zeros if not valid: a[0] is then not touched
 *   copy_async_commit();                                     closes a group of copies
 *   copy_async_wait(n);                                      waits until at most n of this thread's groups are under
 *                                                            way; n is a constant from 0 to 8
 *
 * Another thread sees what was copied after the wait and a __syncthreads() behind it.
 *
 * A function takes a shared array as template <typename Tile> __device__ float f(Tile As), by value, in either build;
 * or as the pointer &As[0][0], whose indexes the simulator then checks at the array's end alone. */
#ifndef RUNGBENCH_DEVICE_H
#define RUNGBENCH_DEVICE_H

#include <cuda_runtime.h>
#include <stdint.h>

#ifdef __CUDACC__

#include <cuda_pipeline_primitives.h>

/* The most blocks that a grid may have along x, and along y or z. */
constexpr int64_t GRID_X_MAX = 2147483647;
constexpr int64_t GRID_YZ_MAX = 65535;

#define LAUNCH(kernel, grid, block, shared_bytes, stream, ...) \
    kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__)

template <typename T, int SIZE, int... REST>
struct array_of {
    using type = typename array_of<T, REST...>::type[SIZE];
};

template <typename T, int SIZE>
struct array_of<T, SIZE> {
    using type = T[SIZE];
};

#define SHARED_ARRAY(T, name, ...) __shared__ typename array_of<T, __VA_ARGS__>::type name
#define DYNAMIC_SHARED(T, name)                                            \
    extern __shared__ __align__(16) unsigned char dynamic_shared_memory[]; \
    T *name = reinterpret_cast<T *>(dynamic_shared_memory)

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

static __device__ __forceinline__ void copy_async_commit()
{
    __pipeline_commit();
}

static __device__ __forceinline__ void copy_async_wait(unsigned groups_left)
{
    __pipeline_wait_prior(groups_left);
}

#endif

#endif
