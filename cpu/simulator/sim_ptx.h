/* Inline PTX, interpreted. The instructions that there are: sim_ptx_run.cpp.
 *
 * Source: PTX ISA; "Inline PTX Assembly in CUDA". */
#pragma once

#include "sim_launch.h"

SIM_C_BEGIN

/* %0, %1, ...: a variable, or a value. */
struct sim_ptx_operand {
    void *memory; /* NULL: `value` */
    size_t bytes;
    uint64_t value;
};

/* The thread that runs executes the text of an asm statement. */
void sim_ptx(struct sim_place place, const char *text, const struct sim_ptx_operand *operands, size_t count);

SIM_C_END
