/* The inner loops of cpu_ceilings.c, per instruction set: the simplest work that keeps the load or multiply-add units
 * of one core busy. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct ceiling_kernels {
    void (*read[2])(const char *start, size_t bytes); /* in one stream, or in several at a time */
    float (*multiply_add)(int64_t rounds);            /* at least so many rounds; returns about 1.5 */
    int round_flop;
};

/* `isa`: a number of isa_best(). NULL: there are fewer. */
const struct ceiling_kernels *ceiling_kernels_of(int isa);
