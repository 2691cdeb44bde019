/* What the 32 lanes of a warp do together: shuffles, votes and __syncwarp() are exchanges of one value per lane. */
#pragma once

#include "sim_types.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each lane of `mask` brings a value. Returns the values of all 32 lanes, valid until the thread's next exchange. The
 * value of a lane that is outside the mask or has ended is undefined in CUDA, and poison here. */
const uint64_t *sim_warp_exchange(struct sim_place place, const char *operation, uint32_t mask, uint64_t value);

/* `thread` began to wait in an exchange, or ended: completes the exchanges that waited for nothing else. */
void sim_warp_changed(unsigned thread);

/* A thread that `thread` waits for in its exchange; SIM_THREADS_MAX: none. */
unsigned sim_warp_missing(unsigned thread);

#ifdef __cplusplus
}
#endif
