/* Fibers: bodies that take turns on one processor, each with a stack of its own. One host, the caller of resume(), and
 * any number of them. */
#ifndef RUNGBENCH_SIM_FIBER_H
#define RUNGBENCH_SIM_FIBER_H

#include <stdbool.h>
#include <stddef.h>

struct sim_fibers;

/* So many fibers, which all run `body`; it may never return. NULL: no memory. They are kept until the process ends. */
struct sim_fibers *sim_fibers_make(size_t count, void (*body)(void));

/* Lets a fiber run, from its body's start or from where it yielded, until it yields. */
void sim_fibers_resume(struct sim_fibers *fibers, size_t index);

/* Back to the host. Only in a fiber, or in a signal handler that interrupted one. */
void sim_fibers_yield(struct sim_fibers *fibers);

/* Forgets where all fibers were: they start anew. */
void sim_fibers_restart(struct sim_fibers *fibers);

/* Whether the address belongs to a page that a fiber reaches only by using up its stack. */
bool sim_fibers_overflowed(const struct sim_fibers *fibers, const void *address);

#endif
