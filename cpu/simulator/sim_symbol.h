/* What the debugger's tables say of an address in the program's code. They are read by addr2line (binutils), which is
 * started for each question: only for messages. */
#pragma once

#include "sim_launch.h"

/* The line of an instruction. Where a header of the simulator was inlined into a kernel, the line of the kernel. */
struct sim_place sim_symbol_place(const void *instruction);
