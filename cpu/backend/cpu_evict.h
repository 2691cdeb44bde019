/* Evicts memory from every cache of the machine. */
#pragma once

#include "bench/table/backend.h"

#include <stddef.h>

/* A word for struct device_info's `eviction`. */
extern const char cpu_evict_method[];

/* NULL, or what went wrong. */
const char *cpu_evict(const struct span *spans, size_t count);
