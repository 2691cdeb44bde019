/* A whole run: rows are judged, written, and explained if that was asked for. */
#pragma once

#include "results.h"
#include "run.h"

#include "bench/select/selection.h"

/* Opens the outputs, runs everything, gives the outputs their final names. `program` is what the user called. Returns
 * an exit status; errors have been said on stderr. */
int benchmark_run(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                  const char *program);

/* The part between: all rows of all rounds, for the reporters of `results`, which are not ended. */
int benchmark_judge(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                    struct results *results);
