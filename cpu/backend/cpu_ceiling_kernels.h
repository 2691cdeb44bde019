/* The inside of cpu_ceilings.c: the simplest work that keeps one core's load or multiply-add units busy, for each
 * instruction set. */
#ifndef RUNGBENCH_CPU_CEILING_KERNELS_H
#define RUNGBENCH_CPU_CEILING_KERNELS_H

#include <stddef.h>
#include <stdint.h>

struct ceiling_kernels {
    void (*read[2])(const char *start, size_t bytes); /* front to back, or in several places at a time */
    float (*multiply_add)(int64_t rounds);            /* does at least so many; returns about 1.5 */
    int round_flop;
};

/* By the order of isa_best(); NULL from the number on that there are. */
const struct ceiling_kernels *ceiling_kernels_of(int isa);

#endif
