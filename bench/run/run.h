/* A whole run, and the other ways in which this process is used. */
#pragma once

#include "judge.h"

/* Opens the outputs, has all rows of all rounds judged, writes and, if that was asked for, explains them, and gives the
 * outputs their final names. `program` is what the user called. Returns an exit status; errors have been said on
 * stderr. */
int run_to_outputs(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                   const char *program);

/* The part between: the rows are judged. */
int run_to_results(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                   struct results *results);

/* Answers the judge that has started this process. Returns an exit status. */
int run_player(const struct run *run);

/* --profile: verifies and warms up the row's rung in this process, then launches it once between cudaProfilerStart and
 * cudaProfilerStop, where ncu or nsys sees it alone, with cold caches if the row's mode has them. `name` is a row's
 * name, with or without the mode. Returns an exit status after a line on stderr. */
int profile_row(const struct run *run, const struct selection *selection, const char *name);
