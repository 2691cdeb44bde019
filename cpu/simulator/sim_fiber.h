/* Fibers: functions that take turns on one processor, each with its own stack. The host, which resumes them, has the
 * stack of the process. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SIM_FIBERS_MAX = 8192 };

/* At least `count` fibers that run `body`, which may never return; they stay for as long as the thread of the host
 * lives, whose own they are. `body`
 * is the same in each call. False: no memory, or more than SIM_FIBERS_MAX. */
bool sim_fibers_make(void (*body)(void), size_t count);

/* Runs a fiber, from the start of its body or from where it yielded, until one yields. */
void sim_fibers_resume(size_t index);

/* The fiber that runs yields to another one instead. */
void sim_fibers_switch(size_t index);

/* It will run soon; below 0: none. */
void sim_fiber_fetch(int index);

/* Bytes on the stack of the fiber that runs. */
size_t sim_fiber_used(void);

/* Returns to the host. Only in a fiber, or in a signal handler that interrupted one. */
void sim_fibers_yield(void);

/* All fibers start anew, from the start of their bodies. */
void sim_fibers_restart(void);

/* Whether the address lies on the stack of a fiber. */
bool sim_fibers_own(const void *address);

/* Whether the address lies in a guard page, which a fiber reaches when its stack overflows. */
bool sim_fibers_overflowed(const void *address);
