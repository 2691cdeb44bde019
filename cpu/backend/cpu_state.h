/* What the machine says of the CPU time that this process could not have. */
#ifndef RUNGBENCH_CPU_STATE_H
#define RUNGBENCH_CPU_STATE_H

#include "bench/table/backend.h"
#include "cpu_energy.h"
#include "cpu_mask.h"

/* /proc and /sys are looked for below `root`. */
void cpu_state_read(const char *root, const struct cpu_mask *mask, struct cpu_energy *energy,
                    struct device_state *state);

/* Time in which the hypervisor let something else run on CPUs of the mask although they had work; NAN: unknown. */
double cpu_state_stolen_s(const char *root, const struct cpu_mask *mask);

#endif
