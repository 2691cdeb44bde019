/* Energy that the processor's packages have used, by their own counters (Linux's powercap). */
#ifndef RUNGBENCH_CPU_ENERGY_H
#define RUNGBENCH_CPU_ENERGY_H

#include <stdbool.h>

enum { CPU_PACKAGES_MAX = 16 };

/* What was read before; zeros at first. */
struct cpu_energy {
    bool started;
    double last_uj[CPU_PACKAGES_MAX];
    double total_uj;
};

/* Joules since the first call, NAN where they cannot be read, as for most users but root. The counters wrap, after a
 * quarter of an hour or more: a meter has to be read more often than that. /sys is looked for below `root`. */
double cpu_energy_read(const char *root, struct cpu_energy *energy);

#endif
