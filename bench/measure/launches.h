/* Launches on a backend: what a call is in every mode, and the common part of those that time the kernel alone. */
#ifndef RUNGBENCH_LAUNCHES_H
#define RUNGBENCH_LAUNCHES_H

#include "mode.h"

/* Queues `iterations` calls of the rung, in the mode's own way. */
typedef const char *launches_queue(const struct mode_context *context, int64_t iterations);

/* Calls the rung so many times, with what is to follow each call. */
launches_queue launches_call;

/* Queues the calls between two marks, behind a hold so that the host's launch latency is not in the time; with
 * `evict`, behind the emptying of the caches too. */
const char *launches_time(const struct mode_context *context, int64_t iterations, launches_queue *queue, bool evict,
                          struct sample *sample);

#endif
