/* Access to memory that is out of bounds, division by zero and misaligned access, as the processor reports them. */
#ifndef RUNGBENCH_SIM_FAULT_H
#define RUNGBENCH_SIM_FAULT_H

#include "sim_place.h"

#include <stdbool.h>
#include <stddef.h>

/* From here to sim_fault_ignore(), a thread that touches what it may not is noted, and `leave` called, which may not
 * return. */
void sim_fault_catch(void (*leave)(void));
void sim_fault_ignore(void);

/* Whether one was noted since then; if so, which line it was at, and what it did. */
bool sim_fault_seen(void);
struct sim_place sim_fault_place(void);
void sim_fault_describe(char *text, size_t size);
const void *sim_fault_address(void);

#endif
