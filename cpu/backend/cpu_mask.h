/* The CPUs that this process may run on. */
#ifndef RUNGBENCH_CPU_MASK_H
#define RUNGBENCH_CPU_MASK_H

#include <stdbool.h>
#include <stddef.h>

enum { CPU_MASK_MAX = 8192 }; /* more than Linux can be built for */

struct cpu_mask {
    bool has[CPU_MASK_MAX];
    int count; /* 0: unknown */
};

/* The affinity mask that this process came with. */
void cpu_mask_read(struct cpu_mask *mask);

/* "0-3,8". What does not fit is left out, and how many there are takes its place: "0,2,4,... (96)". */
void cpu_mask_text(const struct cpu_mask *mask, char *text, size_t size);

#endif
