/* Launches on a backend: a call of the rung, as in every mode, and the sample of modes that time only the kernel. */
#pragma once

#include "mode.h"

/* Queues `iterations` calls of the rung in the way of a mode. */
typedef const char *launches_queue(const struct mode_context *context, int64_t iterations);

/* Calls the rung `iterations` times; if it is slowed, a spin follows each call. */
launches_queue launches_call;

/* Takes a sample: the calls between two marks. They are queued while the stream is held, so that the host's launch
 * latency is not in the time. `cold`: the buffers are evicted from the caches before. */
const char *launches_time(const struct mode_context *context, int64_t iterations, launches_queue *queue, bool cold,
                          struct sample *sample);
