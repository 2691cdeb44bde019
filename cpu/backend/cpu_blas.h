/* OpenBLAS, which the openblas rungs call: its threads, its version, its choice of kernels. */
#pragma once

#include "bench/table/backend.h"

#include <stdbool.h>

int cpu_blas_threads(void); /* 0: no OpenBLAS */
void cpu_blas_set_threads(int threads);

/* A core type with better kernels for this processor than those in use; NULL: none, or no OpenBLAS. */
const char *cpu_blas_better_core(void);

/* Its version and the core type that its kernels are for; a note where we chose that one, or it is old. */
void cpu_blas_describe(bool core_is_ours, struct device_info *info);
