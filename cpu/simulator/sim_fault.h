/* Faults that the processor reports: access out of bounds, misaligned access, division by zero. */
#pragma once

#include "sim_types.h"

#include <stdbool.h>
#include <stddef.h>

/* From here to sim_fault_ignore() a fault is recorded, and then `leave` is called, which may not return. */
void sim_fault_catch(void (*leave)(void));
void sim_fault_ignore(void);

/* Whether a fault was recorded since then; and where, what, and at which address. */
bool sim_fault_seen(void);
struct sim_place sim_fault_place(void);
void sim_fault_describe(char *text, size_t size);
const void *sim_fault_address(void);
