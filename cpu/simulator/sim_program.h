/* A whole program that runs on the simulator: what is found is said at once, on stderr, and decides its status. */
#pragma once

#include <stdbool.h>

/* From here to the end of the process, which is 1 where it would be 0 and something was found; 2, where the simulator
 * does not have what it needs. False: no memory. */
bool sim_program_begin(void);
bool sim_program_runs(void);

/* After each block: what two of its threads do that has no order. */
void sim_program_look_at_block(void);

/* Something that was found; each text is said once. */
void sim_program_say(const char *text);
