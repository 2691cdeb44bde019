/* Faults that the processor reports: access out of bounds, misaligned access, division by zero. */
#pragma once

#include "sim_launch.h"

#include <signal.h>

struct sim_fault {
    int signal;
    const void *address, *instruction;
    const char *verb; /* "reads"; "touches" where the processor does not say which */
};

/* What a handler of signals was told. */
struct sim_fault sim_fault_read(int signal, const siginfo_t *info, const void *context);

/* In each thread of the host before its blocks: handlers have a stack, since a thread's may be full. */
void sim_fault_open(void);

/* From here to sim_fault_ignore() a fault is recorded, and the thread is left. */
void sim_fault_catch(void);
void sim_fault_ignore(void);

/* Accuses the thread that ran last of what was recorded since then. False: nothing was. */
bool sim_fault_accuse(void);
