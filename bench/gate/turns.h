/* Turns: processes of one side that make one round of the gate. On a CPU that others share a process may find no quiet
 * moment at all, and then its least time is that of a disturbed machine; of several, seconds apart, one mostly does. */
#ifndef RUNGBENCH_TURNS_H
#define RUNGBENCH_TURNS_H

#include "error.h"
#include "recording.h"

enum { TURNS_ALONE = 1, TURNS_ON_CPU = 6 };

/* Makes one observation of each row's rounds `turns * n` to `turns * (n + 1) - 1` of a sitting, as round n: failed or
 * skipped if one of them is, else of the least time. False: two of them are of different work or machines; the error
 * says why. */
bool turns_fold(struct recording *recording, size_t turns, struct error *error);

/* The same, without rounds that have fewer: the least of few is longer than that of more. False, too, if none has all.
 */
bool turns_fold_whole(struct recording *recording, size_t turns, struct error *error);

#endif
