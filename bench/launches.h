/* Timed launches on a backend: the common part of the modes that time the kernel alone. */
#ifndef RUNGBENCH_LAUNCHES_H
#define RUNGBENCH_LAUNCHES_H

#include "mode.h"

/* Runs the rung `iterations` times between two marks, back to back, queued behind a hold so that the host's launch
 * latency is not in the time; with `evict`, behind the emptying of the caches too. */
const char *launches_time(const struct mode_context *context, int64_t iterations, bool evict, struct sample *sample);

#endif
