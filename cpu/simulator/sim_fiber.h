/* Fibers: functions that take turns on one processor, each with its own stack. The host, which resumes them, has the
 * stack of the process. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct sim_fibers;

/* So many fibers that run `body`, which may never return. They are kept until the process ends. NULL: no memory. */
struct sim_fibers *sim_fibers_make(size_t count, void (*body)(void));

/* Runs a fiber, from the start of its body or from where it yielded, until it yields. */
void sim_fibers_resume(struct sim_fibers *fibers, size_t index);

/* Returns to the host. Only in a fiber, or in a signal handler that interrupted one. */
void sim_fibers_yield(struct sim_fibers *fibers);

/* All fibers start anew, from the start of their bodies. */
void sim_fibers_restart(struct sim_fibers *fibers);

/* Whether the address lies on the stack of a fiber. */
bool sim_fibers_own(const struct sim_fibers *fibers, const void *address);

/* Whether the address lies in a guard page, which a fiber reaches when its stack overflows. */
bool sim_fibers_overflowed(const struct sim_fibers *fibers, const void *address);
