/* The device code of the CUDA backend, behind C functions that queue it. Each returns the status of its launch. */
#ifndef RUNGBENCH_CUDA_BACKEND_KERNELS_H
#define RUNGBENCH_CUDA_BACKEND_KERNELS_H

#include <cuda_runtime_api.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How host and GPU speak about holds, in pinned host memory that both see. Holds are numbered 1, 2, 3 ..., so that
 * what is said of one hold is never taken for another. Each word has one writer. */
struct cuda_hold_board {
    volatile uint64_t released; /* by the host: holds up to this number may end */
    volatile uint64_t lapsed;   /* by the GPU: the last hold that ended because its time was over; 0: none did */
};

enum { CUDA_HOLD_LIMIT_NS = 1000000000 };

/* Queues hold `number`; `board` is the GPU's pointer to the board. */
cudaError_t cuda_queue_hold(struct cuda_hold_board *board, uint64_t number, cudaStream_t stream);

/* Fills memory with seeded 32-bit numbers whose top bit is 0. `bytes` is a multiple of 16. */
cudaError_t cuda_queue_seed(void *memory, size_t bytes, int multiprocessors, cudaStream_t stream);

/* Reads all of what cuda_queue_seed() wrote, so that it displaces what the caches hold. `sink` is never written. */
cudaError_t cuda_queue_read(const void *memory, size_t bytes, int multiprocessors, uint32_t *sink, cudaStream_t stream);

/* Keeps one thread busy for about so many cycles. */
cudaError_t cuda_queue_spin(int cycles, cudaStream_t stream);

/* Whether the device can load this code at all. */
cudaError_t cuda_kernels_usable(void);

#ifdef __cplusplus
}
#endif

#endif
