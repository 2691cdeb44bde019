/* Verification: does a rung compute the correct answer? */
#pragma once

#include "bench/place/buffers.h"
#include "bench/table/op.h"
#include "bench/table/registry.h"

/* Uploads the inputs in `host`, poisons the outputs, runs the rung and compares its answer with the reference. The
 * outputs are downloaded to `host`. If the backend has several orders of work and `held` is false, the rung runs once
 * in each order. `check` gets the result: a failed launch, a
 * write outside the outputs or a wrong answer.
 *
 * `held`: runs the rung while the stream is held, if the backend can do that, and checks that no output changes
 * meanwhile. If one does, the rung puts work on another stream, which the timer of this stream would not see. Not for a
 * rung's first call, which may wait. */
void verify_run(const struct rung *rung, struct buffers *buffers, void *const host[], const void *reference, bool held,
                struct check *check);

/* Verifies the rung on all ragged sizes of its operation, on input of several kinds, with its buffers against either
 * edge of their pages and at odd addresses, and by many calls on one size. The reason names the size. */
void verify_ragged(const struct rung *rung, uint64_t seed, struct check *check);
