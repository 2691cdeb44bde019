/* The CPUs that this process may run on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CPU_MASK_MAX = 8192 }; /* more than Linux can be built for */

struct cpu_mask {
    bool has[CPU_MASK_MAX];
    int count;   /* 0: unknown */
    int threads; /* that run on them */
};

/* Binds this thread, the main one, to the CPUs of OpenMP's first place, where the user has OpenMP bind threads. It is
 * not bound before. */
void cpu_mask_bind(void);

/* The CPUs of a team of OpenMP's threads, all of its threads together, when it is asked for `threads` of them. It may
 * have fewer. */
void cpu_mask_read(int threads, struct cpu_mask *mask);

/* "0-3,8". Where that does not fit, it is cut and the number of CPUs follows: "0,2,4,... (96)". */
void cpu_mask_text(const struct cpu_mask *mask, char *text, size_t size);
