/* What a rung's calls may not change, because it is not theirs. */
#pragma once

#include "bench/table/op.h"
#include "runner_settings.h"

/* What is changed by now is not the rung's, which has not been called yet. */
void left_as_it_is(const struct runner_settings *settings, const struct rung *rung);

/* False, with the reason, if the rung's calls have changed something outside their memory, on its device or in this
 * process. It stays changed. */
bool left_all_as_it_was(const struct runner_settings *settings, const struct rung *rung, struct check *check);
