/* Processes that a rung has started and not ended. */
#pragma once

#include <stddef.h>

/* Makes this process the parent of all that its children leave behind. */
void left_behind_adopt(void);

/* Kills the children of this process, and what they leave behind; how many there were. The first is named: "sleep
 * (process 1234)"; empty: there was none. With size 0 nobody wants to know. */
size_t left_behind_kill(char *name, size_t size);
