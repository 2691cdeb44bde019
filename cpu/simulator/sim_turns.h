/* Whose turn it is. The threads of a block take turns: one runs until it waits or ends, and hands over to the next. */
#pragma once

/* Before the first block of a launch, and after threads were left in the middle of what they did. */
void sim_turns_begin(void);

/* All threads of a block are ready, in the turns that the order gives them. */
void sim_turns_shuffle(void);

/* Runs those that are ready until none is, or there is an error. */
void sim_turns_run(void);
