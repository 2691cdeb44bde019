/* Theoretical occupancy, from the calculator of the CUDA toolkit. */
#pragma once

#include "bench/base/error.h"
#include "ptxas_report.h"

#include <stdbool.h>
#include <stddef.h>

/* How many warps of such blocks a multiprocessor of kernel->arch holds, in per cent of its maximum; 0: not one block
 * fits. False: the architecture is not known here. */
bool occupancy_pct(const struct ptxas_kernel *kernel, unsigned threads, size_t dynamic_shared_bytes, double *pct,
                   struct error *error);
