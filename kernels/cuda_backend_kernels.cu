/* The device code of the CUDA backend: holding the stream, emptying the caches, measuring the timer. Not a rung. */
#include "cuda_backend_kernels.h"

#include <cuda_runtime.h>

static __device__ uint64_t now_ns(void)
{
    uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

/* One thread, which sees the host's word through volatile loads: those go to the host's memory each time.
 *
 * Its last acts in a lapse are the note and a fence for the whole system. The work held back starts after this kernel
 * has ended, so if the host does not yet see the note, none of that work has started. */
static __global__ void hold_kernel(struct cuda_hold_board *board, uint64_t number)
{
    uint64_t start_ns = now_ns();
    while (board->released < number) {
        if (now_ns() - start_ns >= CUDA_HOLD_LIMIT_NS) {
            board->lapsed = number;
            __threadfence_system();
            return;
        }
    }
}

static __global__ void seed_kernel(uint32_t *memory, size_t words)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += stride) {
        uint32_t x = (uint32_t)i * 0x9E3779B9u + 0x7F4A7C15u; /* the finisher of MurmurHash3 */
        x = (x ^ x >> 16) * 0x85EBCA6Bu;
        x = (x ^ x >> 13) * 0xC2B2AE35u;
        memory[i] = (x ^ x >> 16) & 0x7FFFFFFFu;
    }
}

/* Plain loads: they take a place in the second-level cache as a rung's own do, where loads with a hint (__ldcs) need
 * not. No number has its top bit set, so the store never happens, but the compiler cannot know that and keeps the
 * loads. */
static __global__ void read_kernel(const uint4 *memory, size_t vectors, uint32_t *sink)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    uint32_t seen = 0;
#pragma unroll 4
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += stride) {
        uint4 v = memory[i];
        seen |= v.x | v.y | v.z | v.w;
    }
    if (seen >> 31)
        *sink = seen;
}

static __global__ void spin_kernel(int cycles)
{
    long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

/* A full card: 8 blocks of 256 threads are all that a multiprocessor can hold. */
constexpr int THREADS = 256, BLOCKS_A_MULTIPROCESSOR = 8;

cudaError_t cuda_queue_hold(struct cuda_hold_board *board, uint64_t number, cudaStream_t stream)
{
    hold_kernel<<<1, 1, 0, stream>>>(board, number);
    return cudaGetLastError();
}

cudaError_t cuda_queue_seed(void *memory, size_t bytes, int multiprocessors, cudaStream_t stream)
{
    seed_kernel<<<multiprocessors * BLOCKS_A_MULTIPROCESSOR, THREADS, 0, stream>>>((uint32_t *)memory,
                                                                                   bytes / sizeof(uint32_t));
    return cudaGetLastError();
}

cudaError_t cuda_queue_read(const void *memory, size_t bytes, int multiprocessors, uint32_t *sink, cudaStream_t stream)
{
    read_kernel<<<multiprocessors * BLOCKS_A_MULTIPROCESSOR, THREADS, 0, stream>>>((const uint4 *)memory,
                                                                                   bytes / sizeof(uint4), sink);
    return cudaGetLastError();
}

cudaError_t cuda_queue_spin(int cycles, cudaStream_t stream)
{
    spin_kernel<<<1, 1, 0, stream>>>(cycles);
    return cudaGetLastError();
}

cudaError_t cuda_kernels_usable(void)
{
    cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, hold_kernel);
}
