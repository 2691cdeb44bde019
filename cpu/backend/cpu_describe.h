/* What the processor is called and how it is set up. */
#ifndef RUNGBENCH_CPU_DESCRIBE_H
#define RUNGBENCH_CPU_DESCRIBE_H

#include "bench/table/backend.h"
#include "cpu_mask.h"

/* The name, the affinity, the governor, and the notes on the machine. /proc and /sys are looked for below `root`. */
void cpu_describe(const char *root, const struct cpu_mask *mask, struct device_info *info);

#endif
