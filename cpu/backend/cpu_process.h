/* The state of this process that a rung must leave as it is: what it computes, what other rungs compute and what they
 * take depends on it. */
#pragma once

/* Remembers the state as it is now. */
void cpu_process_remember(void);

/* The name of the first thing that has changed since, or NULL. */
const char *cpu_process_changed(void);
