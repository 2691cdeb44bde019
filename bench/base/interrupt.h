/* SIGINT, SIGTERM and SIGHUP: a run ends between two samples and keeps its finished rows. Where the sample in progress
 * takes longer than a moment, or the signal comes a second time (not at once), the rows are rescued and the process
 * ends at once. */
#ifndef RUNGBENCH_INTERRUPT_H
#define RUNGBENCH_INTERRUPT_H

/* `rescue` is called from a signal handler before the process ends at once: async-signal-safe functions only. */
void interrupt_install(void (*rescue)(void));

/* The signal that asks the run to end, or 0. */
int interrupt_signal(void);

/* The run has heard: it ends by itself now, and is given as long as it needs. */
void interrupt_heard(void);

#endif
