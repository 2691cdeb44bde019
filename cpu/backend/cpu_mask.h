/* The CPUs that this process may run on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CPU_MASK_MAX = 8192 }; /* more than Linux can be built for */

struct cpu_mask {
    bool has[CPU_MASK_MAX];
    int count; /* 0: unknown */
};

/* The affinity mask with which this process was started. */
void cpu_mask_read(struct cpu_mask *mask);

/* "0-3,8". Where that does not fit, it is cut and the number of CPUs follows: "0,2,4,... (96)". */
void cpu_mask_text(const struct cpu_mask *mask, char *text, size_t size);
