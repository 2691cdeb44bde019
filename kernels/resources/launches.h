/* What a CUDA rung launches, found without a GPU: the rung runs, and its launches are written down instead of queued.
 */
#ifndef RUNGBENCH_LAUNCHES_H
#define RUNGBENCH_LAUNCHES_H

#include "bench/table/op.h"
#include "bench/table/rung.h"

#include <stddef.h>

struct launch {
    const char *symbol; /* the kernel's, mangled */
    unsigned block[3];
    size_t dynamic_shared_bytes;
};

struct launches {
    const struct launch *all; /* each that differs, the first first; valid until the next call of launches_of() */
    size_t count;
    const char *error; /* NULL, or why the rung could not make one, as where it asks the device; valid as long */
};

/* The launches of a rung on all workloads and ragged sizes of its operation, at addresses aligned as the device's
 * allocator aligns them and as the elements need it. The program is linked with --wrap for the functions of the CUDA
 * runtime in launches.c. */
struct launches launches_of(const struct op *op, rung_function *run);

#endif
