/* --info: the machine and its measured limits. */
#pragma once

#include "bench/base/host.h"
#include "bench/place/devices.h"

#include <stdio.h>

/* Prints for each backend the device, its state, its notes, the time of an empty kernel in each mode, and the measured
 * ceilings. */
void info_print(const struct devices *devices, const struct host_clock *clock, FILE *to);
