/* The launches of a CUDA rung, found without a GPU: the rung runs, and its launches are recorded instead of queued. */
#pragma once

#include "bench/table/op.h"
#include "bench/table/rung.h"

#include <stddef.h>

struct launch {
    const char *symbol; /* of the kernel, mangled */
    unsigned block[3];
    size_t dynamic_shared_bytes;
};

struct launches {
    const struct launch *all; /* all different ones, in order; valid until the next call of launches_of() */
    size_t count;
    const char *error; /* NULL, or why the rung failed, perhaps because it asked for the device */
};

/* The launches of a rung on all workloads and ragged sizes of its operation, once with buffers aligned as cudaMalloc()
 * aligns them and once only as their elements need it. The program is linked with --wrap for the functions of the CUDA
 * runtime that launches.c replaces. */
struct launches launches_of(const struct op *op, rung_function *run);
