/* Settings that libraries read before main(): OpenMP's and OpenBLAS's. */
#pragma once

#include <stdbool.h>

/* Where this process lacks one of these settings, sets it and starts the program anew with `argv`, once:
 *   GOMP_SPINCOUNT     unless the user set it or OMP_WAIT_POLICY
 *   OPENBLAS_CORETYPE  where OpenBLAS runs kernels older than the processor, unless the user set it
 * Returns where nothing is lacking, or the program cannot be started. */
void cpu_restart(char **argv);

/* Whether this program was started anew with a core type for OpenBLAS. */
bool cpu_restart_chose_core(void);
