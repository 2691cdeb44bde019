/* A whole program in CUDA on the simulator: rungbench --simulate program.cu -- ARGUMENTS */
#pragma once

#include "bench/own/compile.h"

/* Compiles the first of `arguments`, which a NULL ends, and runs its main() with all of them in a process of its own.
 * It has the folder and the streams of this process, and `budget_s` seconds. `status` becomes that of the program: 1
 * where it was 0 and the simulator has found something; EXIT_SIGNAL_BASE and the signal that ended it. False, with the
 * reason: it could not run, or its time was up. */
bool program_run(const struct registry *registry, const struct own_request *request, char *const *arguments,
                 double budget_s, const struct own_compiling *compiling, int *status, struct error *error);
