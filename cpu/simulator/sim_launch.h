/* What a launch asks for, and what a GPU has. */
#pragma once

#include "sim_types.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    SIM_THREADS_MAX = 1024, /* per block */
    SIM_WARP = 32,
    /* Shared memory per block on the GPUs that have most. A kernel has to ask for more than the second number. */
    SIM_SHARED_BYTES_MAX = 227 << 10,
    SIM_DYNAMIC_SHARED_BYTES = 48 << 10,
};

struct sim_launch {
    const char *kernel; /* as the source has it: "kernel<ROWS, COLUMNS>" */
    const void *function;
    bool is_runtime; /* not a kernel: cudaMemsetAsync(), say */
    struct uint3 grid, block;
    size_t dynamic_shared_bytes;
    size_t dynamic_shared_allowed; /* what the kernel asked for with cudaFuncSetAttribute() */
    void (*thread_body)(const void *arguments);
    const void *arguments;
};
