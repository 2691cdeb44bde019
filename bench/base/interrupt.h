/* SIGINT, SIGTERM and SIGHUP: the run ends after the current sample and keeps its finished rows. If that takes more
 * than 2 s, or a second signal follows (0.4 s later or more), the handler saves the rows and ends the process. */
#pragma once

/* Installs the handlers. `rescue` saves the output files before a handler ends the process: it may call
 * async-signal-safe functions only. */
void interrupt_install(void (*rescue)(void));

/* The signal that was received, or 0. */
int interrupt_signal(void);

/* Tells the handlers that the run is ending by itself: the limit of 2 s no longer applies. */
void interrupt_heard(void);
