/* Rungs are verified on the ragged sizes of their operation before their first row, once in a run. */
#pragma once

#include "bench/table/registry.h"
#include "bench/verify/verify.h"
#include "runner_settings.h"

struct ragged_checks {
    const struct runner_settings *settings;
    struct ragged_verdict *verdicts; /* one per rung */
};

/* `settings` must live as long. False: no memory. */
bool ragged_checks_make(struct ragged_checks *checks, const struct runner_settings *settings);

/* Whether an earlier round of this session has made them. Later rounds run the same code, and verify it by one call on
 * their own workloads. */
bool ragged_checks_are_done(const struct ragged_checks *checks);

/* The check of that rung, which runs it where that was not done yet, also at far sizes where those are asked for. If an
 * earlier round has, it is correct without a call. */
const struct check *ragged_check(struct ragged_checks *checks, const struct rung *rung);

void ragged_checks_free(struct ragged_checks *checks);
