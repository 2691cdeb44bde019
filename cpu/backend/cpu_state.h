/* The CPU time that this process wanted and did not get. */
#pragma once

#include "bench/table/backend.h"
#include "cpu_energy.h"
#include "cpu_mask.h"

/* /proc and /sys lie below `root`. */
void cpu_state_read(const char *root, const struct cpu_mask *mask, struct cpu_energy *energy,
                    struct device_state *state);

/* Time in which CPUs of the mask had work, but the hypervisor ran something else; NAN: unknown. */
double cpu_state_stolen_s(const char *root, const struct cpu_mask *mask);
