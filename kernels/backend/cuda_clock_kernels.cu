/* Kernels about time: they hold the stream, spin, and look at the clocks. */
#include "cuda_parts.h"

#include <cuda_runtime.h>

static __device__ uint64_t now_ns(void)
{
    uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

static __device__ uint32_t this_multiprocessor(void)
{
    uint32_t number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
}

/* One thread. Its volatile loads read the host's memory each time.
 *
 * When the time limit is reached, it writes `lapsed`, then a fence for the whole system, then ends. Held work starts
 * after that. So while the host does not see `lapsed`, no held work has started. */
static __global__ void hold_kernel(struct cuda_board *board, uint64_t number)
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

static __global__ void spin_kernel(int64_t nanoseconds)
{
    if (nanoseconds < 0)
        return;
    uint64_t start_ns = now_ns();
    while (now_ns() - start_ns < (uint64_t)nanoseconds) {
    }
    /* The loop ends right after a tick of the clock that times events, too, so all their times would be rounded in the
     * same direction. A pause of random length by another clock breaks the step; 0 waits as long. */
    uint32_t seen = (uint32_t)clock64(), pause = seen & 63;
    while ((uint32_t)clock64() - seen < pause) {
    }
}

/* Always on the same multiprocessor, since each has its own counter of cycles. */
static __global__ void look_kernel(struct cuda_board *board, struct cuda_scratch *scratch, uint64_t number)
{
    if (threadIdx.x != 0 || this_multiprocessor() != 0 || atomicMax(&scratch->look_taken, number) >= number)
        return;
    board->cycles = (uint64_t)clock64();
    board->time_ns = now_ns();
    __threadfence_system();
    board->looked = number;
}

cudaError_t cuda_kernels_usable(int *compiled_for)
{
    cudaFuncAttributes attributes;
    cudaError_t status = cudaFuncGetAttributes(&attributes, hold_kernel);
    if (status == cudaSuccess)
        *compiled_for = attributes.ptxVersion;
    return status;
}

const char *cuda_queue_hold(uint64_t number)
{
    hold_kernel<<<1, 1, 0, cuda.stream>>>(cuda.board, number);
    return cuda_launched("holds");
}

const char *cuda_spin(int64_t nanoseconds)
{
    spin_kernel<<<1, 1, 0, cuda.stream>>>(nanoseconds);
    return cuda_launched("spins");
}

const char *cuda_queue_look(uint64_t number)
{
    /* A multiprocessor holds at most two blocks of 1024 threads, so each of them gets one. */
    look_kernel<<<2 * cuda.multiprocessors, 1024, 0, cuda.stream>>>(cuda.board, cuda.scratch, number);
    return cuda_launched("looks at the clock");
}
