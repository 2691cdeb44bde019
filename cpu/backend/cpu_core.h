/* OpenBLAS's core types: its names for the processors that it has kernels for. */
#pragma once

#include <stdbool.h>

/* Whether the kernels of that core type use older vector instructions than `isa`, the best that this processor has
 * (numbers of cpu_isa.h). A name that is not known here counts as new. */
bool cpu_core_is_old(const char *core, int isa);

/* The core type to use instead: the best one that the processor can run and the library has. NULL: none is better. */
const char *cpu_core_better(const char *core, int isa, bool (*library_has)(const char *core));
