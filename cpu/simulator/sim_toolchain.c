/* Kernels of the user's own in CUDA, compiled for the simulator as the twins of the rungs are (rungbench_simt in
 * CMakeLists.txt). */
#include "sim_toolchain.h"

#include "sim_sanitizer.h"

#include <stddef.h>

static const char *const libraries[] = {"cblas_", NULL};
static const char *const suffixes[] = {".cu", ".cuh", NULL};
static const char *const compilers[] = {"c++", "g++", NULL};
static const char *const flags[] = {"-x",
                                    "c++",
                                    "-std=c++17",
                                    "-D_XOPEN_SOURCE=700",
                                    "-O1",
                                    "-gdwarf-4",
                                    "-fstack-clash-protection",
                                    "-ffp-contract=off",
#ifdef __x86_64__
                                    "-mfma",
#endif
#if defined __x86_64__ && !SIM_HAS_ADDRESS_SANITIZER
                                    "-fsanitize=alignment",
                                    "-fsanitize-undefined-trap-on-error",
#endif
                                    "-Wno-unknown-pragmas",
                                    "-fPIC",
                                    "-shared",
                                    "-Wl,-Bsymbolic",
                                    "-fdiagnostics-color=never",
                                    "-I",
                                    RUNGBENCH_SOURCE_DIR "/cpu/simulator/cuda",
                                    "-include",
                                    RUNGBENCH_TWINS,
                                    "-include",
                                    "kernels/device.h",
                                    NULL};

const struct toolchain sim_toolchain = {
    .suffixes = suffixes,
    .libraries = libraries,
    .compilers = compilers,
    .flags = flags,
    .before_solution = "kernels/solution_begin.h",
    .after_solution = "kernels/solution_end.h",
    .spells_launches = true,
    .adds_streams = true,
    .sign = "sim_launch_run",
};
