/* Notes about the machine that readers of its rows have to know (struct device_note). */
#pragma once

#include "bench/table/backend.h"
#include "cpu_mask.h"

/* Adds notes about a quota, changing clocks, other work, and a virtual machine. info->governor is filled in already.
 * /proc and /sys lie below `root`. */
void cpu_notes_machine(const char *root, const struct cpu_mask *mask, struct device_info *info);

/* Adds notes where the threads of `mask` are not `wanted`, or too many for their CPUs, and where a setting of the
 * user's does not say how many there are or where they run. */
void cpu_notes_threads(int wanted, const struct cpu_mask *mask, struct device_info *info);
