/* The kernels of the CUDA backend, behind C functions that queue them. Each returns the status of its launch. */
#pragma once

#include "bench/table/backend.h"

#include <cuda_runtime_api.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Pinned host memory that host and GPU both see. Holds and looks at the clock are numbered 1, 2, 3 ..., so that an old
 * message is never taken for a new one. Each word has one writer. */
struct cuda_board {
    volatile uint64_t released; /* by the host: holds up to this number may end */
    volatile uint64_t lapsed;   /* by the GPU: the last hold that reached its time limit; 0: none */
    volatile uint64_t looked;   /* by the GPU: the last look at the clock, which read these: */
    volatile uint64_t cycles, time_ns;
};

/* Memory of the GPU that only the GPU uses. */
struct cuda_scratch {
    unsigned long long look_taken; /* the last look at the clock that a block has taken on */
    uint32_t sink;                 /* for results that nobody wants; never written */
};

enum { CUDA_HOLD_LIMIT_NS = 1000000000 };

/* Fails if the device cannot load this code. `compiled_for`: the compute capability of the loaded code times 10, at
 * most the device's. */
cudaError_t cuda_kernels_usable(int *compiled_for);

/* Queues hold `number`. `board` is the address that the GPU uses, here and below. */
cudaError_t cuda_queue_hold(struct cuda_board *board, uint64_t number, cudaStream_t stream);

/* Keeps one thread busy until %globaltimer has advanced by so much. It starts somewhere within a tick of that clock, so
 * it runs up to one tick too short, half a tick on average; reading the clock makes it longer. 0 reads the clock twice,
 * a negative number does not read it. */
cudaError_t cuda_queue_spin(int64_t nanoseconds, cudaStream_t stream);

/* Look `number` at the clock of multiprocessor 0. Nothing else may run, or perhaps no block gets onto that one. */
cudaError_t cuda_queue_look(struct cuda_board *board, struct cuda_scratch *scratch, uint64_t number,
                            int multiprocessors, cudaStream_t stream);

/* How a kernel walks over memory. A thread takes `vectors` 16-byte vectors at once: thread i those at i, i + threads,
 * ... of the block's tile. Then the block takes the tile that lies a whole grid further. */
struct cuda_sweep {
    int threads;                   /* per block; at most 1024 */
    int vectors;                   /* 1, 2 or 4 */
    int blocks_per_multiprocessor; /* 0: one block per tile */
};

/* Fills memory with seeded 32-bit numbers whose top bit is 0. `bytes` is a multiple of 16 wherever nothing else is
 * said. */
cudaError_t cuda_queue_seed(void *memory, size_t bytes, int multiprocessors, cudaStream_t stream);

/* As noise() of struct backend. */
cudaError_t cuda_queue_noise(void *memory, size_t bytes, uint64_t seed, int multiprocessors, cudaStream_t stream);

/* Reads memory that cuda_queue_seed() filled. */
cudaError_t cuda_queue_read(const struct cuda_sweep *sweep, const void *memory, size_t bytes, int multiprocessors,
                            struct cuda_scratch *scratch, cudaStream_t stream);

cudaError_t cuda_queue_copy(const struct cuda_sweep *sweep, void *to, const void *from, size_t bytes,
                            int multiprocessors, cudaStream_t stream);

/* As rotate() of struct backend. */
cudaError_t cuda_queue_rotate(void *to, const void *from, const struct rotation *rotation, int multiprocessors,
                              cudaStream_t stream);

enum { CUDA_FMA_THREADS = 256, CUDA_FMA_STEP = 8 };

/* Each thread does steps * CUDA_FMA_STEP fused multiply-adds. A block has CUDA_FMA_THREADS threads. */
cudaError_t cuda_queue_fma(int blocks, uint32_t steps, struct cuda_scratch *scratch, cudaStream_t stream);

enum { CUDA_MMA_THREADS = 256, CUDA_MMA_CHAINS = 8 };

#ifdef __CUDACC__
/* Bits that change all the time: products of constant numbers take less power, and a GPU at its power limit would run
 * faster on them than on real work. */
static __device__ inline uint32_t cuda_next_bits(uint32_t bits)
{
    return bits * 1664525u + 1013904223u;
}

/* From random bits a factor between 1 and 2 in size, of either sign: one in TF32 or two in FP16. */
static __device__ inline uint32_t cuda_ceiling_factor(uint32_t bits, bool fp16)
{
    return fp16 ? (bits & 0x83FF83FFu) | 0x3C003C00u : (bits & 0x807FE000u) | 0x3F800000u;
}
#endif

/* Each warp does steps * CUDA_MMA_CHAINS products on tensor cores: of 16 x 8 by 8 x 8 elements in TF32, or of 16 x 16
 * by 16 x 8 in FP16. A block has CUDA_MMA_THREADS threads. Needs compute capability 8.0. */
cudaError_t cuda_queue_mma(bool fp16, int blocks, uint32_t steps, struct cuda_scratch *scratch, cudaStream_t stream);

enum { CUDA_WGMMA_THREADS = 128, CUDA_WGMMA_STEP = 4 };

/* Each block does steps * CUDA_WGMMA_STEP products of 64 x 8 by 8 x 256 elements in TF32, or of 64 x 16 by 16 x 256 in
 * FP16. Only where it is usable, which only builds for 9.0a on GPUs of compute capability 9.0 are. */
cudaError_t cuda_queue_wgmma(bool fp16, int blocks, uint32_t steps, struct cuda_scratch *scratch, cudaStream_t stream);
cudaError_t cuda_wgmma_usable(bool *usable);

#ifdef __cplusplus
}
#endif
