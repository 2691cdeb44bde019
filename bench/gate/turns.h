/* Turns: processes of one side that make one round of the gate. On a CPU that others share a process may find no quiet
 * moment at all, and then its least time is that of a disturbed machine; of several, seconds apart, one mostly does.
 * Only rows of CPU rungs are put together so. */
#ifndef RUNGBENCH_TURNS_H
#define RUNGBENCH_TURNS_H

#include "bench/base/error.h"
#include "recording.h"

enum { TURNS_ALONE = 1, TURNS_ON_CPU = 6 };

/* Leaves out what recordings of one session have of a round that is not finished in all of them, as one that was
 * interrupted leaves it, unless something failed in it. False: no memory. */
bool turns_drop_unfinished(struct recording *const *recordings, size_t count, size_t turns, struct error *error);

/* Makes one observation of each row's rounds `turns * n` to `turns * (n + 1) - 1` of a session, as round n: failed if
 * one of them is, skipped if all are, else of the least time, and partial where not all were timed: the least of few is
 * longer than that of more. False: a row is not a CPU's, or two turns are of different work or machines; the error says
 * which. */
bool turns_fold(struct recording *recording, size_t turns, struct error *error);

#endif
