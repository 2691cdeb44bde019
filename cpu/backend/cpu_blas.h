/* OpenBLAS, which the matmul_openblas rung calls, as far as the backend has to do with it. */
#ifndef RUNGBENCH_CPU_BLAS_H
#define RUNGBENCH_CPU_BLAS_H

#include "bench/table/backend.h"

void cpu_blas_set_threads(int threads);

/* Its version and the processor that its kernels are for; a note where they are for a much older one. */
void cpu_blas_describe(struct device_info *info);

#endif
