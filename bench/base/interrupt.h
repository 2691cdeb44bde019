/* SIGINT, SIGTERM and SIGHUP: the run ends after the current sample and keeps its finished rows. If that takes more
 * than 2 s, or a second signal follows (0.4 s later or more), the handler saves the rows and ends the process. */
#pragma once

#include <signal.h>

/* Stands beside main(): these signals wait from the start of the program until interrupt_install(). Libraries that
 * start threads before main() start them with the signals blocked, so that they hear none in place of the main thread.
 */
#define INTERRUPTS_WAIT \
    __attribute__((section(".preinit_array"), used)) static void (*const interrupts_wait)(void) = interrupt_wait
void interrupt_wait(void);

/* Installs the handlers, and lets signals come. `rescue` saves the output files before a handler ends the process: it
 * may call async-signal-safe functions only. A hangup that is ignored (nohup) stays ignored. A file that gets too large
 * (SIGXFSZ) is an error of write() from now on. */
void interrupt_install(void (*rescue)(void));

/* Calls what was given for that, before a process ends at once for another reason. */
void interrupt_rescue(void);

/* Keeps these signals, and the end of the 2 s, waiting. */
void interrupt_block(sigset_t *before);
void interrupt_unblock(const sigset_t *before);

/* Between fork() and exec(): a signal that came to the child meanwhile ends it, instead of being handled and lost. */
void interrupt_drop(void);

/* The signal that was received, or 0. */
int interrupt_signal(void);

/* Tells the handlers that the run is ending by itself: the limit of 2 s no longer applies. */
void interrupt_heard(void);

/* The signal that was received, or 0. For a process that waits for others: these keep the limit, or are killed. */
int interrupt_ends_run(void);
