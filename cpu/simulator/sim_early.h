/* Launches that may begin before the one before them has ended: what that one writes, a thread may not touch before it
 * has waited for its end. Here launches come one after the other; so the places are remembered where the kernel before
 * writes. (CUDA C++ Programming Guide, "Programmatic Dependent Launch and Synchronization") */
#pragma once

#include "sim_race.h"

SIM_C_BEGIN

/* Around a launch. */
void sim_early_begin(const struct sim_launch *launch);
void sim_early_end(const struct sim_launch *launch);
/* The host has waited for all launches. */
void sim_early_forget(void);

extern bool sim_early_watches; /* whether it wants to know of accesses to global memory */
void sim_early_note(const struct sim_touch *touch);

/* The thread that runs waits for the end of the launch before, for its block. */
void sim_early_wait(void);

SIM_C_END
