/* The state of the GPU: clocks, temperature, power, other processes. */
#include "cuda_nvml.h"
#include "cuda_parts.h"

#include <math.h>

static uint64_t looks; /* the number of the latest look at the clock */

static const char *look(void)
{
    looks++;
    return cuda_check(cuda_queue_look(cuda.gpu_board, cuda.scratch, looks, cuda.multiprocessors, cuda.stream),
                      "launch of the kernel that looks at the clock");
}

const char *cuda_open_state(void)
{
    looks = 0;
    return look();
}

/* Leaves earlier errors to finish(): CUDA returns the error of a kernel again, and another one must stay CUDA's last
 * error, which a launch would clear. */
static void read_cycles(struct device_state *state)
{
    state->cycles = state->cycles_at_s = NAN;
    if (cudaStreamSynchronize(cuda.stream) != cudaSuccess || cudaPeekAtLastError() != cudaSuccess || look())
        return;
    if (cudaStreamSynchronize(cuda.stream) != cudaSuccess || cuda.board->looked != looks)
        return;
    state->cycles = (double)cuda.board->cycles;
    state->cycles_at_s = (double)cuda.board->time_ns * 1e-9;
}

void cuda_read_state(struct device_state *state, bool brief)
{
    *state = (struct device_state){.lost_s = NAN, .preemptions = NAN, .cpu_clock_mhz = NAN};
    read_cycles(state);
    cuda_nvml_read(state, brief);
    state->other_processes = cuda_other_processes();
}
