/* A process that measures: a worker, which a supervisor has started, or the one of --sitting. Only in such a process do
 * rungs run. */
#pragma once

#include "bench/report/outputs.h"
#include "judge.h"
#include "run.h"

/* Keeps standard output from rungs, and prepares to say what happened when one crashes. False: that is not possible. */
bool measuring_begin(const struct run *run, struct error *error);

/* Measures the rows that no earlier worker has done, and tells the supervisor. Returns an exit status. */
int measuring_run_worker(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                         const struct outputs *outputs);

/* --sitting: measures one round, and writes it. Returns an exit status. */
int measuring_run_session(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                          struct judge *judge, void (*step)(size_t done, const char *name));
