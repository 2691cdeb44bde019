/* Blocks of one launch on several threads of the host. They begin in the launch's order. What one of them does that
 * others can see, or somebody reads (an atomic function on global memory, a line that it prints, a race that is found),
 * it does when all before it have ended: there the outcome is that of one thread. Plain accesses of several blocks to
 * one place have no order, as on a GPU. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* From here to sim_crew_end() turns are taken, from the first one until below `end`: by this thread, and by others that
 * call join(self) once. */
void sim_crew_begin(uint64_t first, uint64_t end, void (*join)(const void *self), const void *self);
/* What was said of the first turn that failed, valid until the next call; NULL: all turns were done. */
const char *sim_crew_end(void);

/* The turn before is over. False: none is left. */
bool sim_crew_take(uint64_t *turn);
/* This turn has failed: no further one begins, and those that have begun behind it are to end. */
void sim_crew_fail(const char *error);
/* Waits until all turns before this one are over. False: one of them has failed, so that nothing may come of this one.
 * True in a thread that takes no turns. */
bool sim_crew_in_order(void);

/* Whether some turn has failed; and whether one before this one has. */
extern volatile bool sim_crew_has_failed;
bool sim_crew_ends(void);
