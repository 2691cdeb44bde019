/* Runs a rung once for verification, up to its answer. */
#pragma once

#include "bench/place/buffers.h"
#include "bench/table/op.h"
#include "bench/table/registry.h"

/* Uploads the inputs in `host`, poisons the outputs and runs the rung. True: its outputs are in `host` and not yet
 * checked. False: `check` has the error. `held` is as in verify_run(). */
bool verify_once(const struct rung *rung, const struct buffers *buffers, void *const host[], bool held,
                 struct check *check);

/* Sets the check of a rung that gave no answer. Its reason is `what` followed by `reason`. */
void verify_fail(struct check *check, const char *what, const char *reason);
