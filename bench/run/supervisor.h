/* The supervisor: no rung runs in this process, and it opens no device. It starts this program anew as a worker that
 * measures, listens to it, and gathers. A worker that a rung ends, in whatever way, is followed by another for the rows
 * that are left.
 *
 * With --rounds each round has workers of its own. The unit of a comparison is the process: where its code, stack and
 * heap lie differs from one to the next (T. Kalibera and R. Jones, "Rigorous benchmarking in reasonable time", ISMM
 * 2013). */
#pragma once

#include "supervision.h"

/* Runs the rounds. In a round whose process a rung has ended, the row in progress fails, and the other rows of that
 * rung that are left. Where a worker ends before it begins a row, the rows that are left are skipped.
 *
 * Returns an exit status: EXIT_USAGE: `error` says what, or is empty where a worker has said it; EXIT_ALL_SKIPPED: a
 * worker had nothing to run; EXIT_WRONG: a worker ended as it should not; else EXIT_RIGHT, whatever the results are. */
int supervisor_run(const struct supervisor *supervisor, struct error *error);
