/* The ceilings of CPUs: reading, and fused multiply-adds (backend.h, enum ceiling_kind). */
#pragma once

#include "bench/table/backend.h"

#include <stddef.h>

int cpu_ceiling_variants(enum ceiling_kind kind);
const char *cpu_ceiling(enum ceiling_kind kind, int variant, void *memory, double amount);
