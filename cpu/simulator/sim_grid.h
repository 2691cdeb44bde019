/* A simulated launch: block after block, the threads of each as fibers that take turns. A thread runs until it waits
 * for others or ends. So all that CUDA leaves open is done in one order of many (sim_order.h), and a wait that a
 * kernel lacks shows in some order, where one of the orders makes the answers differ. */
#ifndef RUNGBENCH_SIM_GRID_H
#define RUNGBENCH_SIM_GRID_H

#include "sim_index.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SIM_THREADS_MAX = 1024,
    SIM_WARP = 32,
    /* Of shared memory, on the GPUs that have most; dynamic shared memory beyond the second has to be asked for. */
    SIM_SHARED_BYTES_MAX = 227 << 10,
    SIM_DYNAMIC_SHARED_BYTES = 48 << 10,
};

/* Of the thread that runs, as in CUDA. */
extern struct uint3 threadIdx, blockIdx, blockDim, gridDim;

struct sim_launch {
    const char *kernel;
    struct uint3 grid, block;
    size_t dynamic_shared_bytes, dynamic_shared_max;
    void (*run)(const void *arguments); /* what one thread does */
    const void *arguments;
};

/* Runs all of it, or until something goes wrong: then the rest, and all later launches, are left undone until somebody
 * asks for the error. */
void sim_launch_run(const struct sim_launch *launch);

/* What went wrong since the last call, in a sentence that is valid until the next launch. NULL: nothing. */
const char *sim_launch_error(void);

/* A place in the source: what a thread is doing, for those who ask why it does not go on. */
struct sim_place {
    const char *file;
    int line;
};

/* Waits for all threads of the block; returns how many of them brought a predicate that is not 0. */
int sim_barrier(struct sim_place place, const char *operation, int predicate);

/* Warp-wide: all lanes of `mask` bring a value each; returns the values of the 32 lanes, valid until the thread's next
 * exchange. What lanes outside the mask, or gone, would have brought is undefined in CUDA and poison here. */
const uint64_t *sim_warp_exchange(struct sim_place place, const char *operation, uint32_t mask, uint64_t value);

/* The thread did something wrong: ends the launch. Written as printf() does, in a few words: the rest of the message,
 * kernel, block, thread and place, is added. */
__attribute__((noreturn)) void sim_stop(struct sim_place place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* From the next launch on, notes which block writes to the memory last; NULL: no more. */
void sim_watch(const void *memory, size_t bytes);
/* "kernel K, block (1,0,0)", or NULL where no block of all launches since then changed it. */
const char *sim_writer(void);

#ifdef __cplusplus
}
#endif

#endif
