/* Whose turn it is. The threads of a block take turns: one runs until it waits or ends, and hands over to the next. */
#pragma once

/* Before the first block of a launch, in which at most so many threads run at the same time: there are fibers for them.
 */
void sim_turns_begin(unsigned threads);

/* All threads of a block are ready, in the turns that the order gives them. */
void sim_turns_shuffle(void);

/* Runs those that are ready until none is, or there is an error. */
void sim_turns_run(void);
