/* The name of the processor, and how it is set up. */
#pragma once

#include "bench/table/backend.h"
#include "cpu_mask.h"

/* Fills in name, affinity, governor, and the notes about the machine. /proc and /sys lie below `root`. */
void cpu_describe(const char *root, const struct cpu_mask *mask, struct device_info *info);
