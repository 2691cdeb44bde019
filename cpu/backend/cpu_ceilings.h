/* The ceilings of CPUs: reading, and fused multiply-adds (backend.h, enum ceiling_kind). */
#pragma once

#include "bench/table/backend.h"

#include <stddef.h>
#include <stdint.h>

int cpu_ceiling_variants(enum ceiling_kind kind);
const char *cpu_ceiling(enum ceiling_kind kind, int variant, void *memory, double amount);

/* The inner loops, per instruction set: the simplest work that keeps the load or multiply-add units of one core busy.
 */
struct ceiling_kernels {
    void (*read[2])(const char *start, size_t bytes); /* in one stream, or in several at a time */
    float (*multiply_add)(int64_t rounds);            /* at least so many rounds; returns about 1.5 */
    int round_flop;
};

/* `isa`: a number of isa_best(). NULL: there are fewer. */
const struct ceiling_kernels *ceiling_kernels_of(int isa);
