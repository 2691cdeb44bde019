/* What bulk copies and wgmma touch, they touch by another way than loads and stores, which have to be over: what a
 * thread wrote is seen by them after its fence.proxy.async, or that of who starts them.
 *
 * Source: PTX ISA, "Async proxy". */
#pragma once

#include "sim_launch.h"

SIM_C_BEGIN

/* Whether stores to shared memory are to be told: the kernel is known to start something that they must be ordered
 * with. */
extern SIM_OWN bool sim_proxy_traces;
void sim_proxy_enter(const void *kernel);
void sim_proxy_look(void); /* of a block; a block before may have started something */
void sim_proxy_note(const void *memory, size_t bytes);

void sim_proxy_fence(void);

/* The thread runs a bulk copy or wgmma there: a thread that wrote there without a fence since; SIM_THREADS_MAX: none.
 */
unsigned sim_proxy_unfenced(const void *memory, size_t bytes);

SIM_C_END
