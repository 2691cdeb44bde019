/* Theoretical occupancy, by the CUDA toolkit's own calculator. */
#ifndef RUNGBENCH_OCCUPANCY_H
#define RUNGBENCH_OCCUPANCY_H

#include "bench/base/error.h"
#include "ptxas_report.h"

#include <stdbool.h>
#include <stddef.h>

/* The warps that a multiprocessor of kernel->arch can hold of blocks of so many threads and dynamic shared bytes, in
 * per cent of those that it can hold at all; 0: it cannot hold one block. False where the architecture is not known
 * here. */
bool occupancy_pct(const struct ptxas_kernel *kernel, unsigned threads, size_t dynamic_shared_bytes, double *pct,
                   struct error *error);

#endif
