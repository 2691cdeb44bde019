/* The host as a device: its memory, work that is done at once, and CLOCK_MONOTONIC. bench/table/backend.h describes
 * these functions. */
#pragma once

#include "bench/table/backend.h"

#include <stddef.h>
#include <stdint.h>

const char *cpu_mark(int index);
const char *cpu_elapsed(int from, int to, double *seconds);
double cpu_tick(void);
const char *cpu_spin(int64_t nanoseconds);

void *cpu_stream(void);
const char *cpu_copy(void *to, const void *from, size_t bytes);
const char *cpu_fill(void *memory, size_t bytes, const struct made *made);
const char *cpu_finish(void);

/* Bytes that a program may still allocate. Where that is unknown, as without /proc, there is no limit. */
size_t cpu_free_memory(void);

/* What malloc() has given out; 0 where it does not say. */
size_t cpu_held_memory(void);
enum { CPU_LEAK_CALLS = 64 };

/* Out of every cache of the machine. `by_writing` makes no difference: flushed lines leave nothing to be written later.
 * cpu_evict_method: a word for struct device_info's `eviction`. */
const char *cpu_evict(const struct span *spans, size_t count, bool by_writing);
extern const char cpu_evict_method[];
