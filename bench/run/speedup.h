/* Speed-ups: a row's time compared with the baseline's of the same round. */
#pragma once

#include "bench/report/result.h"
#include "bench/table/registry.h"

/* Sets baseline and speed-up of the result at `index`. The baseline of a workload is the first baseline rung of the
 * registry that was not skipped there. If that one has failed, or was not measured in the mode, there is no speed-up.
 * Results of a round lie one behind the other. */
void speedup_set(const struct registry *registry, struct result_list *results, size_t index);
