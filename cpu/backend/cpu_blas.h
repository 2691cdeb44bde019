/* What libraries read before main(): OpenBLAS, which the openblas rungs call, its threads, its version and its choice
 * of kernels; and OpenMP's settings. */
#pragma once

#include "bench/table/backend.h"

#include <stdbool.h>

int cpu_blas_threads(void); /* 0: no OpenBLAS */
void cpu_blas_set_threads(int threads);

/* Its version and the core type that its kernels are for; a note where we chose that one, or it is old. */
void cpu_blas_describe(struct device_info *info);

/* Where this process lacks one of these settings, sets it and starts the program anew with `argv`, once:
 *   GOMP_SPINCOUNT     unless the user set it or OMP_WAIT_POLICY
 *   OPENBLAS_CORETYPE  where OpenBLAS runs kernels older than the processor, unless the user set it
 * Returns where nothing is lacking, or the program cannot be started. */
void cpu_restart(char **argv);

/* OpenBLAS's core types are its names for the processors that it has kernels for. Whether the kernels of that one use
 * older vector instructions than `isa`, the best that this processor has (numbers of cpu_isa.h). A name that is not
 * known here counts as new. */
bool cpu_core_is_old(const char *core, int isa);

/* The core type to use instead: the best one that the processor can run and the library has. NULL: none is better. */
const char *cpu_core_better(const char *core, int isa, bool (*library_has)(const char *core));
