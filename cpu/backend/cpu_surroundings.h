/* What a process has from its surroundings and hands on to all that runs in it later: its environment, limits
 * and scheduling. */
#pragma once

void cpu_surroundings_remember(void);
/* Puts back what was remembered. Returns the first thing that had changed, or NULL. */
const char *cpu_surroundings_put_back(void);
