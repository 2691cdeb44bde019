/* Kernels of the user's own in C, compiled as the rungs of the CPU are (CMakeLists.txt). */
#include "bench/table/toolchain.h"

#include "cpu_toolchain.h"

#include <stddef.h>

static const char *const compilers[] = {"cc", "gcc", "clang", NULL};
static const char *const flags[] = {"-std=c17",
                                    "-D_XOPEN_SOURCE=700",
                                    "-O3",
                                    "-ffp-contract=fast",
                                    "-fopenmp",
                                    "-falign-functions=64",
                                    "-falign-loops=64",
                                    "-fPIC",
                                    "-shared",
                                    "-Wl,-Bsymbolic",
                                    "-fdiagnostics-color=never",
                                    NULL};

const struct toolchain cpu_toolchain = {
    .suffix = ".c",
    .compilers = compilers,
    .flags = flags,
    .after_solution = "cpu/solution.h",
};
