/* The runner: prepares, verifies and measures a selection, and passes each result to the reporters. */
#pragma once

#include "bench/select/selection.h"
#include "outcome.h"
#include "runner_settings.h"

/* Runs the rows in order, but each workload's baseline first, so that the other rows have a speed-up; rows that are
 * done are left out. A wrong rung fails its own rows only. Reporters get the results early, without speed-up and
 * verdict, and are not ended. False, with the reason, if one could not write. */
bool runner_run(const struct runner_settings *settings, const struct selection *selection, struct run_outcome *outcome,
                struct error *error);
