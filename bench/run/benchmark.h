/* A whole run: rows are measured in workers, judged, written, and explained if that was asked for. */
#pragma once

#include "run.h"

/* Opens the outputs, runs everything, gives the outputs their final names. `program` is what the user called. Returns
 * an exit status; errors have been said on stderr. In a worker it measures the rows of that, and with --sitting one
 * round in this process. */
int benchmark_run(const struct run *run, const struct selection *selection, const struct run_facts *facts,
                  const char *program);
