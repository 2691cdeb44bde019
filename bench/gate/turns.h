/* Turns: several processes of one side that form one round of the gate. On a shared CPU one process may find no quiet
 * moment, and then even its fastest sample is disturbed. Of several processes, seconds apart, usually one finds a quiet
 * moment. Only rows of CPU rungs are merged in this way. */
#pragma once

#include "bench/base/error.h"
#include "recording.h"

enum { TURNS_ALONE = 1, TURNS_ON_CPU = 6 };

/* Drops rounds that are not complete in all recordings of a session, as after an interruption, unless something failed
 * in them. False: out of memory. */
bool turns_drop_unfinished(struct recording *const *recordings, size_t count, size_t turns, struct error *error);

/* Merges the rounds `turns * n` to `turns * (n + 1) - 1` of a session into round n, for each row. The result is failed
 * if one of them is, skipped if all are, and otherwise has the least time. It is partial if not all were timed, since
 * the least time of fewer turns is longer. False: a row is not a CPU row, or two turns differ in work or machine; the
 * error says which. */
bool turns_fold(struct recording *recording, size_t turns, struct error *error);
