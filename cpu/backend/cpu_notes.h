/* What rows have to be read with (struct device_note). */
#ifndef RUNGBENCH_CPU_NOTES_H
#define RUNGBENCH_CPU_NOTES_H

#include "bench/table/backend.h"
#include "cpu_mask.h"

/* Those on a quota, changing clocks, other work and virtual machines. info->governor is known already; /proc and /sys
 * are looked for below `root`. */
void cpu_notes_machine(const char *root, const struct cpu_mask *mask, struct device_info *info);

#endif
