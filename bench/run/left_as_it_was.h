/* What a rung's calls may not change, because it is not theirs. */
#pragma once

#include "bench/table/op.h"
#include "runner_settings.h"

/* Puts back what the rung's calls changed outside their memory, on its device and in this process. False, with the
 * reason, if there was something. */
bool left_all_as_it_was(const struct runner_settings *settings, const struct rung *rung, struct check *check);
