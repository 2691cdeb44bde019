/* Verification: is a rung right? */
#ifndef RUNGBENCH_VERIFY_H
#define RUNGBENCH_VERIFY_H

#include "bench/place/buffers.h"
#include "bench/table/op.h"
#include "bench/table/registry.h"

/* Uploads the inputs in `host`, poisons the outputs, runs the rung once (or, where the backend knows several orders of
 * work and `held` is not asked for, once in each), and compares what it wrote with the
 * reference; its outputs are then in `host` too. A failed launch, a write outside the outputs and a wrong answer all
 * end in `check`.
 *
 * `held`: runs it behind a hold, where the backend has one, and looks meanwhile whether an output changed: then the
 * rung works elsewhere than on its stream, and no timer of that stream would see it. Not for a rung's first call, which
 * may wait. */
void verify_run(const struct rung *rung, const struct buffers *buffers, void *const host[], const void *reference,
                bool held, struct check *check);

/* Verifies the rung on its operation's ragged sizes. Each size is run twice on the same buffers with different input,
 * which shows a rung that remembers its answers by address, and again where one of the buffers starts at an odd
 * element. The reason names the size. */
void verify_ragged(const struct rung *rung, uint64_t seed, struct check *check);

#endif
