/* The energy that the packages of the processor have used, from their counters (powercap of Linux). */
#pragma once

#include <stdbool.h>

enum { CPU_PACKAGES_MAX = 16 };

/* What was read before. Zeros at first. */
struct cpu_energy {
    bool started;
    double last_uj[CPU_PACKAGES_MAX];
    double total_uj;
};

/* Joules since the first call; NAN where the counters cannot be read, as for most users but root. The counters wrap
 * after a quarter of an hour or more, so calls must come more often. /sys lies below `root`. */
double cpu_energy_read(const char *root, struct cpu_energy *energy);
