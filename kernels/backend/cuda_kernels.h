/* The device code of the CUDA backend, behind C functions that queue it. Each returns the status of its launch. */
#ifndef RUNGBENCH_CUDA_KERNELS_H
#define RUNGBENCH_CUDA_KERNELS_H

#include <cuda_runtime_api.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where host and GPU leave word for each other, in pinned host memory that both see. Holds and looks at the clock are
 * numbered 1, 2, 3 ..., so that what is said of one is never taken for another. Each word has one writer. */
struct cuda_board {
    volatile uint64_t released; /* by the host: holds up to this number may end */
    volatile uint64_t lapsed;   /* by the GPU: the last hold that ended because its time was over; 0: none did */
    volatile uint64_t looked;   /* by the GPU: the last look at the clock that is written here: */
    volatile uint64_t cycles, time_ns;
};

/* The GPU's own notepad, in its memory. */
struct cuda_scratch {
    unsigned long long look_taken; /* the last look at the clock that a block has taken charge of */
    uint32_t sink;                 /* for results that nobody wants; never written */
};

enum { CUDA_HOLD_LIMIT_NS = 1000000000 };

/* Whether the device can load this code at all, and the compute capability that it was compiled for, times 10: the
 * device's own, or less. */
cudaError_t cuda_kernels_usable(int *compiled_for);

/* Queues hold `number`; `board` is the GPU's pointer to the board, here and below. */
cudaError_t cuda_queue_hold(struct cuda_board *board, uint64_t number, cudaStream_t stream);

/* Keeps one thread busy for so long by %globaltimer. That clock is read as it stands at the start, somewhere within a
 * tick, and the end is the first tick at least so many nanoseconds later. So the kernel runs up to one tick shorter
 * than it was told, half a tick on average, and longer by what reading the clock takes. 0 reads it
 * twice, a negative number not at all. */
cudaError_t cuda_queue_spin(int64_t nanoseconds, cudaStream_t stream);

/* Look `number` at the clock of multiprocessor 0. Nothing else may be running, or no block need land there. */
cudaError_t cuda_queue_look(struct cuda_board *board, struct cuda_scratch *scratch, uint64_t number,
                            int multiprocessors, cudaStream_t stream);

/* How a kernel goes over memory: each thread takes so many 16-byte vectors at once, a block's thread `i` those at i,
 * i + threads, ... of the block's tile; then the block goes on to the tile that is a grid further. */
struct cuda_sweep {
    int threads;                 /* of a block; at most 1024 */
    int vectors;                 /* 1, 2 or 4 */
    int blocks_a_multiprocessor; /* of the grid; 0: a block for each tile */
};

/* Fills memory with seeded 32-bit numbers whose top bit is 0. `bytes` is a multiple of 16, here and below. */
cudaError_t cuda_queue_seed(void *memory, size_t bytes, int multiprocessors, cudaStream_t stream);

/* Reads all of what cuda_queue_seed() wrote. */
cudaError_t cuda_queue_read(const struct cuda_sweep *sweep, const void *memory, size_t bytes, int multiprocessors,
                            struct cuda_scratch *scratch, cudaStream_t stream);

cudaError_t cuda_queue_copy(const struct cuda_sweep *sweep, void *to, const void *from, size_t bytes,
                            int multiprocessors, cudaStream_t stream);

enum { CUDA_FMA_THREADS = 256, CUDA_FMA_STEP = 8 };

/* Does `steps` times CUDA_FMA_STEP fused multiply-adds in each thread of so many blocks of CUDA_FMA_THREADS. */
cudaError_t cuda_queue_fma(int blocks, uint32_t steps, struct cuda_scratch *scratch, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
