/* One verified run of a rung, as far as its answer. */
#ifndef RUNGBENCH_VERIFY_ONCE_H
#define RUNGBENCH_VERIFY_ONCE_H

#include "bench/place/buffers.h"
#include "bench/table/op.h"
#include "bench/table/registry.h"

/* Uploads the inputs in `host`, poisons the outputs and runs the rung. True: what it wrote is in `host`, not yet
 * compared with anything; false: what went wrong is in `check`. `held` is as in verify_run(). */
bool verify_once(const struct rung *rung, const struct buffers *buffers, void *const host[], bool held,
                 struct check *check);

/* The check of a rung that came to no answer; the reason is both texts. */
void verify_fail(struct check *check, const char *what, const char *reason);

#endif
