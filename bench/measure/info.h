/* What the machine is and what it can do, for people. */
#ifndef RUNGBENCH_INFO_H
#define RUNGBENCH_INFO_H

#include "builtin_rung.h"

#include <stdio.h>

/* Prints for each backend the device, its state, its notes, what an empty kernel takes in each mode, and its measured
 * ceilings. */
void info_print(const struct devices *devices, const struct host_clock *clock, FILE *to);

#endif
