/* Faults that the processor reports: access out of bounds, misaligned access, division by zero. */
#pragma once

#include "sim_types.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum sim_access { SIM_READS, SIM_WRITES, SIM_TOUCHES }; /* the last where the processor does not say which */

struct sim_fault {
    int signal;
    const void *address, *instruction;
    enum sim_access access;
};

/* What a handler of signals was told. */
struct sim_fault sim_fault_read(int signal, const siginfo_t *info, const void *context);
const char *sim_fault_verb(enum sim_access access); /* "reads" */

/* `resolve` is asked first. If it returns true, the thread goes on. NULL: nobody is. */
void sim_fault_ask(bool (*resolve)(const struct sim_fault *fault, void *context));

/* From here to sim_fault_ignore() a fault is recorded, and then `leave` is called, which may not return. */
void sim_fault_catch(void (*leave)(void));
void sim_fault_ignore(void);

/* Whether a fault was recorded since then; and where, what, and at which address. */
bool sim_fault_seen(void);
struct sim_place sim_fault_place(void);
void sim_fault_describe(char *text, size_t size);
const void *sim_fault_address(void);
