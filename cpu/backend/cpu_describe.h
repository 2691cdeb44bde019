/* What Linux says of the processor and of the machine around it: what it is, and its state. /proc and /sys lie below
 * `root`. */
#pragma once

#include "bench/table/backend.h"
#include "cpu_threads.h"

/* Fills in name, affinity and governor; adds notes about a quota, changing clocks, other work, and a virtual machine.
 */
void cpu_describe(const char *root, const struct cpu_mask *mask, struct device_info *info);

enum { CPU_PACKAGES_MAX = 16 };

/* What the energy counters of the processor's packages said before (powercap of Linux). Zeros at first. They wrap after
 * a quarter of an hour or more, so the state must be read more often. */
struct cpu_energy {
    bool started;
    double last_uj[CPU_PACKAGES_MAX];
    double total_uj;
};

/* The clock, the energy since the first call, and the CPU time that the CPUs of the mask wanted and did not get. */
void cpu_state_read(const char *root, const struct cpu_mask *mask, struct cpu_energy *energy,
                    struct device_state *state);
