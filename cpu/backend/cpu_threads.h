/* How many threads rungs have, and on which CPUs they may run. */
#pragma once

#include "bench/table/backend.h"

#include <stdbool.h>
#include <stddef.h>

enum { CPU_MASK_MAX = 8192 }; /* more than Linux can be built for */

struct cpu_mask {
    bool has[CPU_MASK_MAX];
    int count;   /* 0: unknown */
    int threads; /* that run on them */
};

/* Sets the threads of OpenMP and OpenBLAS: as many as are asked for, or as many as OMP_NUM_THREADS says, or as there
 * are CPUs to run on and `quota` allows the time of. Returns how many were wanted; the mask has those that there are.
 * The calling thread, the main one, is bound where the user has OpenMP bind threads, and not before. */
int cpu_threads_open(int asked_for, double quota, struct cpu_mask *mask);

/* The CPUs of a team of OpenMP's threads, all of its threads together, when it is asked for `threads` of them. It may
 * have fewer. */
void cpu_mask_read(int threads, struct cpu_mask *mask);

/* "0-3,8". Where that does not fit, it is cut and the number of CPUs follows: "0,2,4,... (96)". */
void cpu_mask_text(const struct cpu_mask *mask, char *text, size_t size);

/* Adds notes where the threads of `mask` are not `wanted`, or too many for their CPUs, and where a setting of the
 * user's does not say how many there are or where they run. */
void cpu_threads_note(int wanted, const struct cpu_mask *mask, struct device_info *info);
